#include "analyzer/target_results.h"

#include <cmath>

#include "analyzer/side_stats.h"

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
    if (target.size.empty() || target.size == size) {
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

}  // namespace perf
