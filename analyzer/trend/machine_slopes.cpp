#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "analyzer/statistics/centre_and_spread.h"
#include "analyzer/trend/internal.h"
#include "schema/revision.h"
#include "schema/text/lists.h"

namespace perf {
namespace {

constexpr std::size_t kFewestSeries = 5;
constexpr double kMostSeries = 0.8;  ///< of the judged ones that are still measured
constexpr double kAlike = 2;         ///< times the median slope, or a part of it

/// Series of one metric that one machine measures.
struct Together {
  std::size_t judged = 0;
  std::vector<MeasuredSeries*> sloping;  ///< for the worse
};

double steepness(const MeasuredSeries& measured) {
  return std::abs(log_change(measured.series.trend->change));
}

/// Those whose slopes are about as large as most are.
std::vector<MeasuredSeries*> alike(const std::vector<MeasuredSeries*>& sloping) {
  std::vector<double> slopes =
      mapped(sloping, [](const MeasuredSeries* one) { return steepness(*one); });
  const double middle = median(slopes);
  std::vector<MeasuredSeries*> found;
  std::ranges::copy_if(sloping, std::back_inserter(found), [middle](const MeasuredSeries* one) {
    return steepness(*one) <= kAlike * middle && middle <= kAlike * steepness(*one);
  });
  return found;
}

bool is_enough(const std::vector<MeasuredSeries*>& found, std::size_t judged) {
  std::set<std::pair<std::string, Params>> workloads;
  for (const MeasuredSeries* one : found) {
    workloads.insert({one->series.entry, one->series.key.params});
  }
  return found.size() >= kFewestSeries && workloads.size() >= kFewestWorkloads &&
         static_cast<double>(found.size()) >= kMostSeries * static_cast<double>(judged);
}

bool is_paired_series_of(const TrendSeries& paired, const TrendSeries& own) {
  return !paired.key.anchor.empty() && paired.live &&
         quantity_of(paired.key) == quantity_of(own.key);
}

/// Where pairs with a baseline were measured, half of them slope as well.
bool is_the_programs(const std::vector<MeasuredSeries*>& found,
                     const std::vector<MeasuredSeries>& all) {
  std::size_t asked = 0, agree = 0;
  for (const MeasuredSeries* own : found) {
    for (const MeasuredSeries& other : all) {
      if (is_paired_series_of(other.series, own->series)) {
        ++asked;
        agree += other.series.trend && other.series.trend->worse ? 1 : 0;
      }
    }
  }
  return asked > 0 && 2 * agree >= asked;
}

Warning warning_of(const std::vector<MeasuredSeries*>& found, std::size_t judged) {
  std::vector<double> changes =
      mapped(found, [](const MeasuredSeries* one) { return one->series.trend->change; });
  const TrendSeries& clearest =
      (*std::ranges::max_element(found, {}, [](const MeasuredSeries* one) {
        return std::pair(one->series.can_be_compared, one->series.trend->evidence);
      }))->series;
  Warning warning{
      WarningKind::machine_slope,
      {{"change", median(changes)},
       {"series", static_cast<double>(found.size())},
       {"of", static_cast<double>(judged)}},
      {{"metric", clearest.key.metric}, {"fingerprint", short_oid(clearest.key.fingerprint)}}};
  if (!clearest.trend->confirm.empty()) {
    warning.about["confirm"] = clearest.trend->confirm;
  }
  return warning;
}

}  // namespace

std::vector<Warning> find_machine_slopes(std::vector<MeasuredSeries>& series,
                                         const SearchedLine& line) {
  std::map<std::tuple<std::string, std::string, std::string>, Together> machines;
  for (MeasuredSeries& one : series) {
    const SeriesKey& key = one.series.key;
    if (!key.anchor.empty() || !one.series.live || !may_alert(one.series, line.policy) ||
        !may_be_the_machines(one.series)) {
      continue;
    }
    Together& together = machines[{key.fingerprint, key.host, key.metric}];
    ++together.judged;
    if (one.series.trend && one.series.trend->worse) {
      together.sloping.push_back(&one);
    }
  }
  std::vector<Warning> warnings;
  for (const auto& [machine, together] : machines) {
    if (!is_enough(together.sloping, together.judged)) {
      continue;
    }
    const std::vector<MeasuredSeries*> found = alike(together.sloping);
    if (!is_enough(found, together.judged) || is_the_programs(found, series)) {
      continue;
    }
    for (MeasuredSeries* one : found) {
      one->series.trend->of_machine = true;
    }
    warnings.push_back(warning_of(found, together.judged));
  }
  return warnings;
}

}  // namespace perf
