#include "reporter/openmetrics/distinct_labels.h"

#include <utility>

#include "reporter/escape/openmetrics.h"

namespace perf::reporter {
namespace {

std::string written(const Labels& labels) {
  std::string text;
  for (const auto& [label, value] : labels) {
    text += label + "=\"" + label_text(value) + "\",";
  }
  return text;
}

}  // namespace

Labels DistinctLabels::of(Labels labels, std::size_t named) {
  const std::string name = labels[named].second;
  for (int number = 2; !taken_.insert(written(labels)).second; ++number) {
    labels[named].second = name + " (" + std::to_string(number) + ")";
  }
  return labels;
}

}  // namespace perf::reporter
