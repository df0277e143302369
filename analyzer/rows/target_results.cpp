#include "analyzer/rows/target_results.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "analyzer/statistics/side_stats.h"

namespace perf {
namespace {

std::optional<double> median_at_head(const Standing& standing, const std::string& workload,
                                     const std::string& metric) {
  for (const WorkloadStanding& one : standing.workloads) {
    if (one.samples.fate == Fate::failed) {
      continue;
    }
    for (const SeriesStanding& candidate : one.series) {
      const Series& series = candidate.series;
      if (series.workload != workload || series.metric.name != metric || series.head.empty()) {
        continue;
      }
      return median(values_of(series, series.head));
    }
  }
  return std::nullopt;
}

bool speaks_of(const Target& target, const std::string& size) {
  return target.size.empty() || target.size == size;
}

// As a whole (the name in the config) or as one of its blocks.
bool ran_at_head(const Standing& standing, const std::string& workload) {
  return std::any_of(
      standing.workloads.begin(), standing.workloads.end(), [&](const WorkloadStanding& one) {
        if (one.samples.fate == Fate::failed || one.samples.head.empty()) {
          return false;
        }
        return one.samples.planned->workload.name == workload ||
               std::any_of(one.series.begin(), one.series.end(), [&](const SeriesStanding& series) {
                 return series.series.workload == workload && !series.series.head.empty();
               });
      });
}

std::optional<double> value_of(const Target& target, const Standing& standing) {
  std::optional<double> value = median_at_head(standing, target.of, target.metric);
  if (value && !target.over.empty()) {
    const std::optional<double> over = median_at_head(standing, target.over, target.metric);
    if (!over || *over == 0) {
      return std::nullopt;
    }
    value = *value / *over;
  }
  return value && std::isfinite(*value) ? value : std::nullopt;
}

}  // namespace

std::vector<TargetResult> target_results(const std::vector<Target>& targets,
                                         const Standing& standing, const std::string& size) {
  std::vector<TargetResult> results;
  for (const Target& target : targets) {
    TargetResult result;
    result.target = target;
    if (speaks_of(target, size)) {
      result.value = value_of(target, standing);
    }
    if (result.value) {
      result.met = (!target.at_least || *result.value >= *target.at_least) &&
                   (!target.at_most || *result.value <= *target.at_most);
    }
    results.push_back(result);
  }
  return results;
}

std::vector<Warning> target_warnings(const std::vector<Target>& targets, const Standing& standing,
                                     const std::string& size) {
  std::vector<Warning> warnings;
  for (const Target& target : targets) {
    for (const std::string& workload : std::set<std::string>{target.of, target.over}) {
      if (speaks_of(target, size) && ran_at_head(standing, workload) &&
          !median_at_head(standing, workload, target.metric)) {
        std::string text = "target '" + target.name;
        text.append("': workload '").append(workload);
        text.append("' has no metric '").append(target.metric).append("'");
        warnings.push_back({"target_without_metric", text});
      }
    }
  }
  return warnings;
}

}  // namespace perf
