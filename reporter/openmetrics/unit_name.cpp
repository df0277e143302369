#include "reporter/openmetrics/unit_name.h"

namespace perf::reporter {

std::string unit_name(const std::string& unit) {
  if (unit == "s") {
    return "seconds";
  }
  if (unit == "B") {
    return "bytes";
  }
  return unit == "1/s" ? "per_second" : "";
}

std::string family_name(const std::string& name, const std::string& unit) {
  const std::string suffix = unit_name(unit);
  return suffix.empty() ? name : name + "_" + suffix;
}

}  // namespace perf::reporter
