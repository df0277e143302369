#include "reporter/warmup_remark.h"

#include "reporter/quantity.h"

namespace perf::reporter {
namespace {

constexpr double kMuchLonger = 0.5;  ///< relative to the steady state
constexpr double kMuchShorter = -1.0 / 3;

}  // namespace

Prose warmup_remark(const Comparison& comparison) {
  if (!comparison.warmup || !comparison.warmup->change) {
    return {};
  }
  const WarmupBenefit& warmup = *comparison.warmup;
  const double change = *warmup.change;
  if (kMuchShorter < change && change < kMuchLonger) {
    return {};
  }
  return {words("first step "),  number(quantity(warmup.first, "s")),
          words(", "),           number(fixed(1 + change, 1) + " times"),
          words(" the steady "), number(quantity(warmup.steady, "s"))};
}

}  // namespace perf::reporter
