#include "analyzer/judge/judge_stored.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include "analyzer/analyze.h"
#include "analyzer/judge/judge_sessions.h"
#include "analyzer/rows/comparison_rows.h"
#include "analyzer/rule/look_schedule.h"
#include "analyzer/samples/standing.h"
#include "schema/text/text_parts.h"

namespace perf {
namespace {

const PlannedWorkload* find_planned(const Plan& plan, const std::string& name) {
  const auto found = std::ranges::find(
      plan.workloads, name, [](const PlannedWorkload& one) { return one.workload.name; });
  return found == plan.workloads.end() || !found->control_of.empty() ? nullptr : &*found;
}

/// The workloads that runs have paired, as if one run had.
StoredRun join_pairs(const Plan& wanted, const std::vector<StoredWorkload>& stored) {
  StoredRun joined;
  joined.plan = wanted;
  joined.plan.workloads.clear();
  joined.plan.warnings.clear();
  joined.plan.host.clear();
  std::int64_t order = 0;
  for (const StoredWorkload& one : stored) {
    if (!one.pairs) {
      continue;
    }
    if (joined.plan.workloads.empty()) {
      joined.plan.environment = one.pairs->plan.environment;
      joined.plan.host = one.pairs->plan.host;
    }
    joined.plan.workloads.push_back({one.planned.workload, "", ""});
    if (const PlannedWorkload* as_run = find_planned(one.pairs->plan, one.planned.workload.name)) {
      joined.plan.workloads.back().new_files = as_run->new_files;
      joined.plan.workloads.back().earlier_noise = as_run->earlier_noise;
    }
    for (const Invocation& invocation : one.pairs->measurements.invocations) {
      if (invocation.workload == one.planned.workload.name) {
        joined.measurements.invocations.push_back(invocation);
        joined.measurements.invocations.back().start_order = order++;
        joined.measurements.measured += invocation.traced ? 0 : invocation.took;
      }
    }
  }
  joined.measurements.budget_spent = true;  // no more pairs will come
  return joined;
}

Comparison nothing_stored(const Workload& workload, const Policy& policy) {
  Comparison row;
  row.workload = workload.name;
  row.params = workload.params;
  row.metric = policy.metrics.empty() ? kStepTime : Metric{policy.metrics.front(), "", {}};
  row.threshold = threshold_for(policy, row.workload, row.metric.name);
  row.verdict = Verdict::inconclusive;
  row.warnings.push_back({WarningKind::not_stored});
  return row;
}

Policy with_share(Policy policy, int part, int whole) {
  policy.alpha *= static_cast<double>(part) / static_cast<double>(std::max(whole, 1));
  return policy;
}

/// The environment of head's newest session, where nothing was paired.
Environment newest_environment(const std::vector<StoredWorkload>& stored) {
  const auto found =
      std::ranges::find_if(stored, [](const StoredWorkload& one) { return !one.head.empty(); });
  return found == stored.end() ? Environment() : found->head.back().environment;
}

/// Which runs the pairs are of, once for the report.
Warning where_from(const std::vector<StoredWorkload>& stored) {
  std::set<std::string> runs;
  for (const StoredWorkload& one : stored) {
    if (one.pairs) {
      runs.insert(one.pairs->plan.run_id);
    }
  }
  if (runs.empty()) {
    return {WarningKind::nothing_paired};
  }
  return {WarningKind::stored,
          {{"runs", runs.size()}},
          {{"names", joined({runs.begin(), runs.end()}, ", ")}}};
}

/// What --metric may name.
std::set<std::string> stored_metrics(const Standing& standing,
                                     const std::vector<StoredWorkload>& stored) {
  std::set<std::string> names = metric_names(standing);
  for (const StoredWorkload& one : stored) {
    names.merge(metric_names(one.base));
    names.merge(metric_names(one.head));
  }
  return names;
}

/// The comparisons that are judged from sessions.
int judged_apart(const std::vector<StoredWorkload>& stored, const Policy& policy) {
  int judged = 0;
  for (const StoredWorkload& one : stored) {
    judged += one.pairs ? 0 : count_judged(one.base, one.head, policy);
  }
  return judged;
}

bool counts(const Invocation& invocation, const PlannedWorkload& planned, const Workload& workload,
            const std::string& oid) {
  return invocation.workload == workload.name && invocation.oid == oid && invocation.ok() &&
         invocation.is_timed() && workload_at(planned, invocation.side).params == workload.params;
}

}  // namespace

int judged_in(const Plan& wanted, const std::vector<StoredWorkload>& stored, const Policy& policy) {
  const StoredRun pairs = join_pairs(wanted, stored);
  return standing_of(pairs.plan, pairs.measurements, policy).judged + judged_apart(stored, policy);
}

Report judge_stored(const Plan& wanted, const std::vector<StoredWorkload>& stored,
                    const Policy& policy, const std::vector<Target>& targets) {
  const StoredRun pairs = join_pairs(wanted, stored);
  const Standing standing = standing_of(pairs.plan, pairs.measurements, policy);
  require_metrics_among(stored_metrics(standing, stored), policy);
  const int paired = standing.judged, judged = paired + judged_apart(stored, policy);
  if (judged > 0) {
    require_reachable_look(policy, judged);
  }
  Report report =
      analyze(pairs.plan, pairs.measurements, with_share(policy, paired, judged), targets);
  report.policy = policy;
  report.judged = judged;
  report.budget_spent = false;
  report.undecided.reset();  // no budget makes more pairs of what is stored
  report.warnings.insert(report.warnings.begin(), where_from(stored));
  if (pairs.plan.workloads.empty()) {
    report.environments = {{newest_environment(stored)}};
  }
  report.nothing_ran = true;
  for (const StoredWorkload& one : stored) {
    if (one.pairs) {
      report.nothing_ran = false;
      continue;
    }
    std::vector<Comparison> rows = judge_sessions(one.base, one.head, policy, judged);
    report.nothing_ran = report.nothing_ran && rows.empty();
    if (rows.empty()) {
      rows.push_back(nothing_stored(one.planned.workload, policy));
    }
    std::ranges::move(rows, std::back_inserter(report.comparisons));
  }
  sort_rows(report.comparisons);
  report.summary = summarize(report.comparisons);
  return report;
}

Report judge_reports(const std::vector<SampleSet>& base, const std::vector<SampleSet>& head,
                     const Policy& policy) {
  std::set<std::string> metrics = metric_names(base);
  metrics.merge(metric_names(head));
  require_metrics_among(metrics, policy);
  Report report;
  report.policy = policy;
  report.judged = count_judged(base, head, policy);
  report.comparisons = judge_sessions(base, head, policy, report.judged);
  sort_rows(report.comparisons);
  report.summary = summarize(report.comparisons);
  report.nothing_ran = report.comparisons.empty();
  report.warnings.push_back({WarningKind::no_samples});
  return report;
}

SampleSet stored_samples(const Plan& plan, const Measurements& measurements,
                         const Workload& workload, const std::string& oid, const Policy& policy) {
  SampleSet set;
  set.source = plan.run_id;
  set.of_workloads = true;
  set.environment = plan.environment;
  set.host = plan.host;
  const PlannedWorkload* planned = find_planned(plan, workload.name);
  if (!planned) {
    return set;
  }
  PlannedWorkload as_wanted;  // in a run of two settings, one side alone had its parameters
  as_wanted.workload = workload;
  WorkloadSamples samples;
  samples.planned = &as_wanted;
  samples.several_blocks = samples_of(*planned, plan, measurements, true).several_blocks;
  for (const Invocation& invocation : measurements.invocations) {
    if (counts(invocation, *planned, workload, oid)) {
      samples.head.push_back(&invocation);
    }
  }
  for (const MetricSamples& series : series_of(samples, policy)) {
    SampleSeries one;
    one.name = series.workload;
    one.params = series.params;
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
