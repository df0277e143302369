#include "analyzer/rows/trade_offs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "analyzer/statistics/centre_and_spread.h"

namespace perf {
namespace {

/// A share says how well the machine was used, not how good the result is.
bool is_quality(const Metric& metric) {
  constexpr std::string_view share = "_share";
  if (metric.name.size() >= share.size() &&
      metric.name.compare(metric.name.size() - share.size(), share.size(), share) == 0) {
    return false;
  }
  constexpr std::array<std::string_view, 4> units{"1", "%", "dB", ""};
  return std::find(units.begin(), units.end(), metric.unit) != units.end();
}

/// Bytes of which fewer are better: what the machine has left is none of the workload's size.
bool is_size(const Metric& metric) {
  return metric.unit == "B" && metric.better == Better::lower;
}

bool is_of_the_result(const Series& series) {
  return !series.of_steps && !series.head.empty() && series.head.front().block != nullptr;
}

}  // namespace

std::vector<TradeOff> trade_offs(const Standing& standing) {
  std::map<std::string, TradeOff> found;
  for (const WorkloadStanding& workload : standing.workloads) {
    for (const SeriesStanding& one : workload.series) {
      const Series& series = one.series;
      const double value = median(values_of(series, series.head));
      if (!std::isfinite(value)) {
        continue;
      }
      TradeOff& trade_off = found[series.workload];
      trade_off.workload = series.workload;
      if (series.metric.name == kStepTime.name) {
        trade_off.seconds = value;
        trade_off.params = series.params;
      } else if (is_of_the_result(series) && is_size(series.metric)) {
        trade_off.bytes.emplace_back(series.metric, value);
      } else if (is_of_the_result(series) && is_quality(series.metric)) {
        trade_off.quality.emplace_back(series.metric, value);
      }
    }
  }
  std::vector<TradeOff> result;
  for (auto& [name, trade_off] : found) {
    if (trade_off.seconds > 0 && !trade_off.bytes.empty() && !trade_off.quality.empty()) {
      result.push_back(std::move(trade_off));
    }
  }
  return result;
}

}  // namespace perf
