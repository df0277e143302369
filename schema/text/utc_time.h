#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace perf {

/// Seconds since 1970 of "2026-11-21T20:31:15.25+01:00" or "2026-11-21 20:31:15Z"; a time without
/// offset counts as UTC. Nothing for any other text.
std::optional<std::int64_t> utc_seconds(std::string_view text);

/// "2026-11-21T19:31:15Z" of seconds since 1970. Empty beyond the years 0 to 9999.
std::string utc_text(std::int64_t seconds);

/// A time in the format of utc_text, from any that utc_seconds reads. Empty for anything else, and
/// before 1970: it is for people, never for order.
std::string utc_time(std::string_view text);

/// The same of milliseconds since 1970, as JavaScript counts.
std::string utc_time_of(double milliseconds);

}  // namespace perf
