#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace perf::formats {

/// "2026-01-31T12:00:00Z" of seconds since the epoch; empty beyond the years 0 to 9999.
std::string utc_time_of_seconds(std::int64_t seconds);

/// The way back; 0 for anything else.
std::int64_t seconds_of_utc_time(const std::string& text);

/// "2026-11-21T20:31:15.25+01:00", "2026-11-21 20:31:15Z" -> "2026-11-21T19:31:15Z"; a time without
/// offset counts as UTC. Empty for anything else: it is for people, and never orders anything.
std::string utc_time(std::string_view text);

/// Milliseconds since 1970, as JavaScript counts. Empty outside of the years 1970 to 9999.
std::string utc_time_of(double milliseconds);

}  // namespace perf::formats
