#include "workloads/program/emitted.h"

#include <algorithm>
#include <charconv>

namespace perf::workloads {

std::string text_of(const perf_compare::Fields& fields, std::string_view name) {
  for (const auto& [key, value] : fields) {
    if (key != name) {
      continue;
    }
    std::string text = value.encoded();
    text.erase(std::remove(text.begin(), text.end(), '"'), text.end());
    return text;
  }
  return {};
}

double number_of(const perf_compare::Fields& fields, std::string_view name) {
  const std::string text = text_of(fields, name);
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::optional<double> metric_value(const perf_compare::StepEmitter& out, std::string_view name) {
  for (const perf_compare::Metric& metric : out.metrics()) {
    if (metric.name == name) {
      return metric.value;
    }
  }
  return std::nullopt;
}

}  // namespace perf::workloads
