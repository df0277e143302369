#include "analyzer/judge/judge_sides.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "analyzer/analyze.h"
#include "analyzer/judge/judge_sessions.h"
#include "analyzer/rows/comparison_rows.h"
#include "analyzer/rule/look_schedule.h"
#include "analyzer/samples/standing.h"
#include "schema/error.h"
#include "schema/formats/foreign.h"
#include "schema/readings.h"
#include "schema/text/text_parts.h"
#include "schema/workload_name.h"

namespace perf {
namespace {

const PlannedWorkload* find_planned(const Plan& plan, const std::string& name) {
  const auto found = std::ranges::find(
      plan.workloads, name, [](const PlannedWorkload& one) { return one.workload.name; });
  return found == plan.workloads.end() || !found->control_of.empty() ? nullptr : &*found;
}

/// The workloads that runs have paired, as if one run had.
StoredRun join_pairs(const JudgedSides& sides) {
  StoredRun joined;
  joined.plan = sides.plan;
  joined.plan.workloads.clear();
  joined.plan.warnings.clear();
  joined.plan.host.clear();
  std::int64_t order = 0;
  for (const PairedWorkload& one : sides.pairs) {
    const std::string& name = one.planned.workload.name;
    if (joined.plan.workloads.empty()) {
      joined.plan.environment = one.run->plan.environment;
      joined.plan.host = one.run->plan.host;
    }
    joined.plan.workloads.push_back({one.planned.workload, "", ""});
    if (const PlannedWorkload* as_run = find_planned(one.run->plan, name)) {
      joined.plan.workloads.back().new_files = as_run->new_files;
      joined.plan.workloads.back().earlier_noise = as_run->earlier_noise;
    }
    for (const Invocation& invocation : one.run->measurements.invocations) {
      if (invocation.workload == name) {
        joined.measurements.invocations.push_back(invocation);
        joined.measurements.invocations.back().start_order = order++;
        joined.measurements.measured += invocation.traced ? 0 : invocation.took;
      }
    }
  }
  joined.measurements.budget_spent = true;  // no more pairs will come
  return joined;
}

/// Adds a row for wanted workloads that have none, not even of a benchmark in it.
void add_nothing_stored(const Plan& wanted, const Policy& policy, std::vector<Comparison>& rows) {
  for (const PlannedWorkload& planned : wanted.workloads) {
    const std::string& name = planned.workload.name;
    if (std::ranges::none_of(rows, [&name](const Comparison& row) {
          return row.workload == name || row.workload.starts_with(name + "/");
        })) {
      rows.push_back(bare_row(name, planned.workload.params, Verdict::inconclusive, policy));
      rows.back().warnings.push_back({WarningKind::not_stored});
    }
  }
}

Policy with_share(Policy policy, int part, int whole) {
  policy.alpha *= static_cast<double>(part) / static_cast<double>(std::max(whole, 1));
  return policy;
}

/// A report file's: it has statistics in place of values.
bool is_of_report(const SampleSet& set) {
  return set.of_workloads && std::ranges::any_of(set.series, [](const SampleSeries& series) {
           return series.values.empty() && series.summary;
         });
}

/// What the report is made of.
void add_origin(const JudgedSides& sides, Report& report) {
  std::set<std::string> runs;
  for (const PairedWorkload& one : sides.pairs) {
    runs.insert(one.run->plan.run_id);
  }
  const auto is_stored = [](const Revision& side) { return side.kind == SideKind::store; };
  if (!runs.empty()) {
    report.warnings.insert(report.warnings.begin(),
                           {WarningKind::stored,
                            {{"runs", runs.size()}},
                            {{"names", joined({runs.begin(), runs.end()}, ", ")}}});
  } else if (sides.plan.base && is_stored(*sides.plan.base) && is_stored(sides.plan.head)) {
    report.warnings.insert(report.warnings.begin(), {WarningKind::nothing_paired});
  } else if (std::ranges::any_of(sides.base, is_of_report) ||
             std::ranges::any_of(sides.head, is_of_report)) {
    report.warnings.push_back({WarningKind::no_samples});
  }
  if (runs.empty()) {
    report.environments.clear();
    if (!sides.head.empty() && names_machine(sides.head.back().environment)) {
      report.environments = {{sides.head.back().environment}};
    }
  }
}

/// The names that --metric may have.
std::set<std::string> metrics_of(const Standing& standing, const JudgedSides& sides) {
  std::set<std::string> names = metric_names(standing);
  for (const auto* side : {&sides.base, &sides.head}) {
    for (const SampleSet& set : *side) {
      for (const SampleSeries& series : set.series) {
        names.insert(series.metric.name);
      }
    }
  }
  return names;
}

int judged_apart(const JudgedSides& sides, const Policy& policy) {
  const int judged = count_judged(sides.base, sides.head, policy, sides.globs);
  return sides.together ? judged : std::min(judged, 1);
}

/// Another size is other work under the same name.
void require_one_size(const JudgedSides& sides) {
  std::set<std::string> sizes;
  for (const auto* side : {&sides.base, &sides.head}) {
    for (const SampleSet& set : *side) {
      sizes.insert(set.size);
    }
  }
  sizes.erase("");
  if (sizes.size() > 1) {
    throw UsageError("the sides have different sizes", joined({sizes.begin(), sizes.end()}, ", "),
                     "judge results of the same --size");
  }
}

bool counts(const Invocation& invocation, const PlannedWorkload& planned, const Workload& workload,
            const std::string& oid) {
  return invocation.workload == workload.name && invocation.oid == oid && invocation.is_timed() &&
         workload_at(planned, invocation.side).params == workload.params;
}

}  // namespace

int judged_in(const JudgedSides& sides, const Policy& policy) {
  const StoredRun pairs = join_pairs(sides);
  return standing_of(pairs.plan, pairs.measurements, policy).judged + judged_apart(sides, policy);
}

Report judge_sides(const JudgedSides& sides, const Policy& policy,
                   const std::vector<Target>& targets) {
  require_one_size(sides);
  const StoredRun pairs = join_pairs(sides);
  const Standing standing = standing_of(pairs.plan, pairs.measurements, policy);
  require_metrics_among(metrics_of(standing, sides), policy);
  const int paired = standing.judged, judged = paired + judged_apart(sides, policy);
  if (judged > 0) {
    require_reachable_look(policy, judged);
  }
  Report report =
      analyze(pairs.plan, pairs.measurements, with_share(policy, paired, judged), targets);
  report.policy = policy;
  report.judged = judged;
  report.budget_spent = false;
  report.undecided.reset();  // no budget makes more pairs of what is there
  add_origin(sides, report);
  std::ranges::move(judge_sessions(sides.base, sides.head, policy, judged, sides.globs),
                    std::back_inserter(report.comparisons));
  report.nothing_ran = report.comparisons.empty();
  add_nothing_stored(sides.plan, policy, report.comparisons);
  sort_rows(report.comparisons);
  report.summary = summarize(report.comparisons);
  return report;
}

SampleSet stored_samples(const Plan& plan, const Measurements& measurements,
                         const Workload& workload, const std::string& oid, const Policy& policy) {
  SampleSet set;
  set.source = plan.run_id;
  // Imported ones, whose command is not known, are named as in the files of their tools.
  set.of_workloads = !workload.command.empty() || workload.format == kStepsFormat;
  set.environment = plan.environment;
  set.host = plan.host;
  set.size = plan.size;
  const PlannedWorkload* planned = find_planned(plan, workload.name);
  if (!planned) {
    return set;
  }
  PlannedWorkload as_wanted;  // in a run of two settings, one side alone had its parameters
  as_wanted.workload = workload;
  WorkloadSamples samples;
  samples.planned = &as_wanted;
  samples.several_blocks = samples_of(*planned, plan, measurements, true).several_blocks;
  std::string why = oid == plan.head.oid ? first_line(planned->head_failed) : "";
  for (const Invocation& invocation : measurements.invocations) {
    if (!counts(invocation, *planned, workload, oid)) {
      continue;
    }
    if (invocation.ok()) {
      samples.head.push_back(&invocation);
    } else {
      why = invocation.failure;
    }
  }
  if (samples.head.empty() && !why.empty()) {
    Params params = set.of_workloads ? Params{} : workload.params;
    params.erase(kForeignVersion);
    set.failures[{workload.name, params}] = why;
    if (!set.of_workloads && why.starts_with(formats::kDidNotFinish)) {
      set.lost.push_back({{}, why, workload.name + "/"});
    }
  }
  for (const Invocation* one : samples.head) {
    for (const auto& [name, block] : named_blocks(*one, workload.name, samples.several_blocks)) {
      if (block->skipped.empty()) {
        set.checks[{name}].push_back(block->checks);
      } else {
        set.skipped[{name}] = block->skipped;
      }
    }
  }
  for (const MetricSamples& series : series_of(samples, policy)) {
    SampleSeries one;
    one.name = series.workload;
    one.params = series.params;
    if (const auto version = one.params.find(kForeignVersion); version != one.params.end()) {
      one.version = to_text(version->second);
      one.params.erase(version);
    }
    one.metric = series.metric;
    one.judge = series.judged;
    if (series.too_few) {
      one.steps = series.too_few->steps;
      one.steps_needed = series.too_few->needed;
    }
    for (const Sample& sample : series.head) {
      one.values.push_back(sample.value);
    }
    set.series.push_back(std::move(one));
  }
  return set;
}

}  // namespace perf
