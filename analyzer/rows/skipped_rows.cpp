#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "analyzer/rows/comparison_rows.h"
#include "schema/readings.h"
#include "schema/text/lists.h"

namespace perf {
namespace {

using Reasons = std::map<Side, std::string>;     // of the sides that gave a reason
using Skipped = std::map<std::string, Reasons>;  // by the name of rows

/// Nothing while there is nothing to compare: the one row of the workload has the reason.
Skipped skipped_of(const WorkloadSamples& samples) {
  Skipped all;
  if (samples.fate == Fate::failed || (samples.fate == Fate::paired && samples.pairs.empty())) {
    return all;
  }
  for (const auto* invocations :
       {&samples.base, &samples.head, &samples.traced_base, &samples.traced_head}) {
    for (const Invocation* one : *invocations) {
      for (const auto& [name, block] :
           named_blocks(*one, entry_name(*samples.planned), samples.several_blocks)) {
        if (!block->skipped.empty()) {
          all[name].emplace(one->side, block->skipped);
        }
      }
    }
  }
  return all;
}

Warning skipped(const Reasons& reasons) {
  const auto& [side, why] = *reasons.rbegin();
  const bool both = reasons.size() > 1;
  return {
      WarningKind::benchmark_skipped,
      {},
      {{both ? "on" : "where", both ? "both sides" : std::string(to_string(side))}, {"why", why}}};
}

/// What Google Benchmark leaves out all of `skipped` by and nothing that was measured: beginnings
/// of names, up to a slash, that no measured name contains. Where a workload's name has a _ the
/// benchmark's own may have any other character.
std::string filter_against(const Skipped& skipped, const WorkloadStanding& workload) {
  const std::size_t begin = workload.samples.planned->workload.name.size() + 1;
  const auto is_measured = [&](const std::string& part) {
    return std::ranges::any_of(workload.series, [&](const MetricStanding& one) {
      return one.series.workload.find(part, begin) != part.npos;
    });
  };
  std::string filter, last;
  for (const auto& [name, reasons] : skipped) {
    std::size_t end = name.find('/', begin);
    while (end != name.npos && is_measured(name.substr(begin, end - begin))) {
      end = name.find('/', end + 1);
    }
    std::string part = name.substr(begin, end - begin);
    if (part != std::exchange(last, part)) {
      filter += (filter.empty() ? "" : "|") + (is_measured(part) ? "^" + part + "$" : part);
    }
  }
  std::ranges::replace(filter, '_', '.');
  return "--benchmark_filter=-" + filter;
}

}  // namespace

std::optional<Warning> add_skipped_rows(const WorkloadStanding& workload, const Policy& policy,
                                        std::vector<Comparison>& rows) {
  const PlannedWorkload& planned = *workload.samples.planned;
  Skipped all = skipped_of(workload.samples);
  for (Comparison& row : rows) {
    const Reasons reasons = value_or_empty(all, row.workload);
    if (row.verdict == Verdict::missing && reasons.contains(Side::head)) {
      row.verdict = Verdict::failed;
      row.warnings.push_back(
          {WarningKind::failed, {}, {{"side", "head"}, {"why", reasons.at(Side::head)}}});
    } else if (row.verdict == Verdict::fresh && reasons.contains(Side::base)) {
      row.warnings.push_back(skipped({{Side::base, reasons.at(Side::base)}}));
    }
  }
  for (const MetricStanding& one : workload.series) {
    all.erase(one.series.workload);
  }
  if (all.empty()) {
    return std::nullopt;
  }
  if (is_shown(policy, kStepTime.name)) {
    for (const auto& [name, reasons] : all) {
      Comparison& row = rows.emplace_back(missing_row(name, policy));
      row.params = planned.workload.params;
      row.base_params = planned.base_params;
      row.warnings = {skipped(reasons)};
    }
  }
  Warning warning = skipped(all.begin()->second);
  warning.kind = WarningKind::benchmarks_skipped;
  warning.figures["benchmarks"] = static_cast<double>(all.size());
  warning.about["benchmark"] = all.begin()->first;
  if (planned.workload.format == "google-benchmark") {
    warning.about["filter"] = filter_against(all, workload);
  }
  return warning;
}

}  // namespace perf
