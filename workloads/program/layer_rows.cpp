#include "workloads/program/layer_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "workloads/program/table.h"

namespace perf::workloads {

namespace {

constexpr std::string_view kPrefix = "layer_", kSuffix = "_bytes";

bool is_digit(char letter) {
  return letter >= '0' && letter <= '9';
}

}  // namespace

bool is_layer_bytes(const std::string& metric) {
  if (metric.size() <= kPrefix.size() + kSuffix.size() || metric.rfind(kPrefix, 0) != 0) {
    return false;
  }
  const auto first = metric.begin() + static_cast<std::ptrdiff_t>(kPrefix.size());
  const auto digits_end = std::find_if_not(first, metric.end(), is_digit);
  return digits_end != first && std::string(digits_end, metric.end()) == kSuffix;
}

std::string layer_rows(const perf_compare::StepEmitter& out, std::size_t width) {
  std::vector<double> bytes;
  for (const perf_compare::Metric& metric : out.metrics()) {
    if (is_layer_bytes(metric.name)) {
      bytes.push_back(metric.value);
    }
  }
  std::string rows;
  for (std::size_t first = 0, end = 0; first < bytes.size(); first = end) {
    while (end < bytes.size() && bytes[end] == bytes[first]) {
      ++end;
    }
    const std::string name = end == first + 1
                                 ? fmt::format("layer {}", first)
                                 : fmt::format("layers {} to {}, each", first, end - 1);
    rows += fmt::format("    {:<{}}{:>14}\n", name, width - 2, scaled(bytes[first], "B"));
  }
  return rows.empty() ? rows : "  memory by layer\n" + rows;
}

}  // namespace perf::workloads
