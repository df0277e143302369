#include "analyzer/rows/warmup_benefit.h"

#include <cmath>
#include <utility>
#include <vector>

#include "analyzer/statistics/centre_and_spread.h"

namespace perf {

std::optional<WarmupBenefit> warmup_benefit(const Series& series) {
  std::vector<double> first, steady;
  for (const Sample& sample : series.head) {
    if (!series.of_steps || !sample.block || sample.block->steps.empty()) {
      continue;
    }
    const Step& opening = sample.block->steps.front();
    std::vector<double> timed = timed_steps(*sample.block);
    if (!opening.warmup) {
      timed.erase(timed.begin());
    }
    if (!timed.empty()) {
      first.push_back(opening.seconds);
      steady.push_back(median(std::move(timed)));
    }
  }
  if (first.empty()) {
    return std::nullopt;
  }
  WarmupBenefit benefit;
  benefit.first = median(std::move(first));
  benefit.steady = median(std::move(steady));
  const double change = benefit.first / benefit.steady - 1;
  if (std::isfinite(change)) {  // extremes have no ratio that a double holds
    benefit.change = change;
  }
  return benefit;
}

}  // namespace perf
