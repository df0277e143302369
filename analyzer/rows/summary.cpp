#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "analyzer/rows/comparison_rows.h"
#include "analyzer/samples/samples.h"
#include "analyzer/samples/serving.h"
#include "analyzer/statistics/centre_and_spread.h"
#include "schema/report.h"

namespace perf {
namespace {

constexpr int kFewestSummed = 2;

struct Sum {
  int workloads = 0;
  bool measured = false;        ///< not all of them run the same program on both sides
  double change = 0;            ///< of ln(1 + change)
  double below = 0, above = 0;  ///< of the squared arms of the intervals

  void add(double estimate, const Interval& interval) {
    const double to_low = estimate - std::log1p(interval.low);
    const double to_high = std::log1p(interval.high) - estimate;
    ++workloads;
    change += estimate;
    below += to_low * to_low;
    above += to_high * to_high;
  }
};

/// A share measures the use of the machine, not the quality of the result.
bool is_quality(const Metric& metric) {
  return !metric.name.ends_with("_share") && is_one_of(metric.unit, {"1", "%", "dB", ""});
}

/// Bytes of which fewer are better: what the machine has left is not the workload's size.
bool is_size(const Metric& metric) {
  return metric.unit == "B" && metric.better == Better::lower;
}

bool is_of_the_result(const MetricSamples& series) {
  return !series.of_steps && !series.head.empty() && series.head.front().block != nullptr;
}

}  // namespace

Summary summarize(const std::vector<Comparison>& rows) {
  Summary summary;
  summary.counts = verdict_counts(rows);
  for (const Comparison& row : rows) {
    if (row.judged && row.verdict) {
      summary.verdict = std::min(summary.verdict, *row.verdict);
    }
  }
  return summary;
}

void sort_rows(std::vector<Comparison>& rows) {
  std::ranges::stable_sort(
      rows, {}, [](const Comparison& row) { return std::tie(row.workload, row.metric.name); });
}

std::vector<FamilyMean> family_means(const std::vector<Comparison>& rows) {
  std::map<std::pair<std::string, std::string>, Sum> sums;  // by family and metric
  for (const Comparison& row : rows) {
    const std::size_t slash = row.workload.find('/');
    // "To zero" and "from zero" have no place in a mean of ratios.
    const bool usable = row.judged && !row.base_params && row.change && row.interval &&
                        *row.change > -1 && row.interval->low > -1;
    if (slash != std::string::npos && row.judged && row.is_same_program()) {
      sums[{row.workload.substr(0, slash), row.metric.name}].add(0, {0, 0});
    } else if (usable && slash != std::string::npos) {
      Sum& sum = sums[{row.workload.substr(0, slash), row.metric.name}];
      sum.add(std::log1p(*row.change), *row.interval);
      sum.measured = true;
    }
  }
  std::vector<FamilyMean> means;
  for (const auto& [key, sum] : sums) {
    if (sum.workloads < kFewestSummed || !sum.measured) {
      continue;
    }
    const double mean = sum.change / sum.workloads;
    const Interval interval{std::expm1(mean - std::sqrt(sum.below) / sum.workloads),
                            std::expm1(mean + std::sqrt(sum.above) / sum.workloads)};
    means.push_back({key.first, key.second, std::expm1(mean), interval, sum.workloads});
  }
  return means;
}

std::vector<TradeOff> trade_offs(const Standing& standing) {
  std::map<std::string, TradeOff> found;
  for (const WorkloadStanding& workload : standing.workloads) {
    for (const MetricStanding& one : workload.series) {
      const MetricSamples& series = one.series;
      if (workload.is_same()) {
        break;
      }
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

std::optional<Undecided> undecided_of(const Standing& standing, const Report& report) {
  const Summary& summary = report.summary;
  const bool any_unchanged = std::ranges::any_of(report.comparisons, [](const Comparison& row) {
    return row.judged && row.verdict == Verdict::unchanged && !row.is_same_program();
  });
  if (report.nothing_ran || summary.verdict != Verdict::inconclusive || any_unchanged ||
      summary.counts.at(Verdict::improved) > 0) {
    return std::nullopt;
  }
  Undecided undecided;
  double largest = 0;
  for (const Comparison& row : report.comparisons) {
    if (row.verdict == Verdict::inconclusive && row.look > 0) {
      // What may have come from zero has no interval, and no bound.
      largest = !row.interval ? kZeroSide
                              : std::max({largest, std::abs(std::log1p(row.interval->low)),
                                          std::abs(std::log1p(row.interval->high))});
    }
  }
  undecided.ruled_out = largest > 0 ? relative_change(largest) : std::nullopt;
  double seconds = standing.measurements->measured;
  int measured = 0, all = 0;
  for (const WorkloadStanding& workload : standing.workloads) {
    if (workload.samples.fate != Fate::paired || workload.samples.given_up) {
      continue;
    }
    ++all;
    measured += workload.samples.pairs.empty() ? 0 : 1;
    double lacking = 0;
    for (const MetricStanding& one : workload.series) {
      const double pairs = pairs_to_verdict(one);
      if (std::isfinite(pairs)) {
        lacking = std::max(lacking, pairs);
        ++undecided.decides;
      }
    }
    seconds += lacking * seconds_a_pair(standing, workload);
  }
  if (undecided.decides > 0) {  // where no pair ran yet, one is thought to take as long as others
    undecided.budget = seconds * all / measured;
  }
  return undecided;
}

}  // namespace perf
