#include "reporter/threshold_band.h"

#include "reporter/change.h"

namespace perf::reporter {

Interval threshold_band(double threshold) {
  return {1 / (1 + threshold) - 1, threshold};
}

std::string threshold_phrase(const Comparison& comparison) {
  const std::string words = percentage(comparison.threshold);
  const bool down = comparison.change && *comparison.change < 0 && comparison.threshold > 0;
  return down ? words + " (" + change_text(threshold_band(comparison.threshold).low) + ")" : words;
}

}  // namespace perf::reporter
