#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace perf::formats {

/// "2026-11-21T20:31:15.25+01:00", "2026-11-21 20:31:15Z" -> "2026-11-21T19:31:15Z"; a time without
/// offset counts as UTC. Empty for anything else: it is for people, and never orders anything.
std::string utc_time(std::string_view text);

/// Milliseconds since 1970, as JavaScript counts. Empty outside of the years 1970 to 9999.
std::string utc_time_of(double milliseconds);

}  // namespace perf::formats
