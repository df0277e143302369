#pragma once

#include <string>

namespace perf::reporter {

/// A base unit as OpenMetrics spells it: "seconds", "bytes", "per_second"; empty for one that it
/// has no word for, and for plain numbers.
std::string unit_name(const std::string& unit);

/// A family's name with its unit: "perf_compare_level" and "s" give "perf_compare_level_seconds".
std::string family_name(const std::string& name, const std::string& unit);

}  // namespace perf::reporter
