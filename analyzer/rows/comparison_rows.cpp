#include "analyzer/rows/comparison_rows.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <span>
#include <string>
#include <tuple>
#include <utility>

#include "analyzer/statistics/centre_and_spread.h"
#include "analyzer/statistics/shift.h"
#include "analyzer/warnings/row_warnings.h"
#include "schema/side_stats.h"

namespace perf {
namespace {

std::optional<SideStats> stats_of(const MetricSamples& series, const std::vector<Sample>& samples) {
  std::vector<double> values = values_of(series, samples);
  std::erase_if(values, [](double value) { return !std::isfinite(value); });
  return side_stats(std::move(values), samples.size(), has_steps(series, samples));
}

Comparison begin_row(const MetricStanding& one, const Policy& policy) {
  const MetricSamples& series = one.series;
  Comparison row;
  row.workload = series.workload;
  row.params = series.params;
  row.base_params = series.base_params;
  row.metric = series.metric;
  row.judged = series.judged;
  row.threshold = one.threshold;
  if (row.threshold > threshold_for(policy, series.workload, series.metric.name)) {
    row.notes.push_back({WarningKind::coarse_memory, {{"threshold", row.threshold}}});
  }
  row.warmup = warmup_benefit(series);
  return row;
}

void describe_pairs(const MetricSamples& series, std::size_t count, double alpha, Comparison& row) {
  const auto pairs = std::span(series.pairs).first(std::min(count, series.pairs.size()));
  std::vector<Sample> base, head;
  for (const PairedSample& pair : pairs) {
    base.push_back(pair.base);
    head.push_back(pair.head);
  }
  row.base = stats_of(series, base);
  row.head = stats_of(series, head);
  if (series.of_steps) {
    row.phases = phase_changes(pairs, alpha);
    if (!has_steps(series, base) || !has_steps(series, head)) {
      row.notes.push_back({WarningKind::steps_pruned});
    }
  }
}

// One pair's change, in the order measured; none at all where some pair has no ratio.
std::vector<double> pair_changes(const std::vector<double>& differences, std::size_t count) {
  std::vector<double> changes;
  for (const double difference :
       std::span(differences).first(std::min(count, differences.size()))) {
    const std::optional<double> change = relative_change(difference);
    if (!change) {
      return {};
    }
    changes.push_back(*change);
  }
  return changes;
}

Comparison compared_row(const MetricStanding& one, const Policy& policy) {
  Comparison row = begin_row(one, policy);
  row.judged = one.under_test;
  std::size_t shown = one.series.pairs.size();
  if (one.incomparable) {
    row.verdict = one.series.too_few ? Verdict::failed : Verdict::incomparable;
    row.pairs = static_cast<int>(shown);
  } else if (one.under_test) {
    record(one.decision, one.rule, row);
    row.basis = kByPairs;
    if (one.decision.look > 0) {
      shown = static_cast<std::size_t>(one.decision.pairs);
    }
  } else {
    row.pairs = static_cast<int>(one.differences.size());
    std::tie(row.change, row.interval) = shown_change(one.differences, policy.alpha);
  }
  describe_pairs(one.series, shown, policy.alpha, row);
  row.pair_changes = pair_changes(one.differences, shown);
  return row;
}

Comparison one_sided_row(const MetricStanding& one, Verdict verdict, const Policy& policy) {
  Comparison row = begin_row(one, policy);
  if (row.judged) {
    row.verdict = verdict;
  }
  if (const auto& too_few = one.series.too_few; too_few && row.judged) {
    row.verdict = Verdict::failed;
    row.warnings.push_back(too_few->warning(row.metric.name));
  }
  if (verdict == Verdict::fresh) {
    row.head = stats_of(one.series, one.series.head);
  } else {
    row.base = stats_of(one.series, one.series.base);
  }
  return row;
}

void call_same(Comparison& row) {
  row.basis = kSameProgram;
  row.change = 0;
  if (row.judged) {
    row.verdict = Verdict::unchanged;
  }
}

// Of traced invocations only the names of metrics count.
Comparison same_row(const MetricStanding& one, const Policy& policy) {
  Comparison row = begin_row(one, policy);
  row.warmup.reset();
  call_same(row);
  return row;
}

// One row for all that a failure at head left open: of the first open series, or of step_time.
Comparison failed_row(const WorkloadStanding& workload, const std::vector<Comparison>& decided,
                      const Policy& policy) {
  const Workload& planned = workload.samples.planned->workload;
  Comparison row = bare_row(planned.name, planned.params, Verdict::failed, policy);
  row.base_params = workload.samples.planned->base_params;
  const MetricStanding* shown = nullptr;
  for (const MetricStanding& one : workload.series) {
    const bool left_open = one.under_test && !one.decision.decided();
    const bool is_main =
        one.series.workload == planned.name && one.series.metric.name == row.metric.name;
    if (left_open && (is_main || (!shown && !decided.empty()))) {
      shown = &one;
    }
  }
  if (shown) {
    row = begin_row(*shown, policy);
    row.verdict = Verdict::failed;
    row.pairs = static_cast<int>(shown->series.pairs.size());
    describe_pairs(shown->series, shown->series.pairs.size(), policy.alpha, row);
  }
  row.warnings.push_back({WarningKind::failed, {}, workload.samples.reason.about()});
  if (!workload.samples.told.empty()) {
    row.notes.push_back({WarningKind::program_output, {}, {{"text", workload.samples.told}}});
  }
  return row;
}

// Base against head, but no pair is complete: what one side alone ran makes no row `new` or
// `missing`.
bool lacks_pairs(const WorkloadSamples& samples) {
  return samples.fate == Fate::paired && samples.pairs.empty();
}

/// One side may have left out the values that would decide.
void doubt_one_sided(const MetricSamples& series, Comparison& row) {
  constexpr double kFew = 0.1;  // of the pairs
  const auto all = static_cast<double>(series.pairs.size()) + series.one_sided;
  const bool is_compared = !row.verdict || row.basis == kByPairs;
  if (series.judged && is_compared && series.one_sided > kFew * all) {
    row.judged = true;
    row.verdict = Verdict::inconclusive;
    row.certain = false;
    row.pairs_needed.reset();
  }
}

std::vector<Comparison> rows_of_series(const WorkloadStanding& workload, const Policy& policy,
                                       int judged) {
  if (lacks_pairs(workload.samples)) {
    return {};
  }
  const Fate fate = workload.samples.fate;
  std::vector<Comparison> rows;
  for (const MetricStanding& one : workload.series) {
    if (!is_shown(policy, one.series.metric.name)) {
      continue;
    }
    if (fate == Fate::same) {
      rows.push_back(same_row(one, policy));
      continue;
    }
    const bool settled = one.under_test && one.decision.decided();
    if (settled || (fate == Fate::paired && !one.series.pairs.empty())) {
      rows.push_back(compared_row(one, policy));
      add_series_warnings(one, workload, policy, judged, rows.back());
      doubt_one_sided(one.series, rows.back());
    } else if (fate != Fate::failed && !one.series.head.empty()) {
      rows.push_back(one_sided_row(one, Verdict::fresh, policy));
    } else if (fate == Fate::paired) {
      rows.push_back(one_sided_row(one, Verdict::missing, policy));
    }
  }
  return rows;
}

// Right at any moment of a run.
WarningKind why_not_measured(const WorkloadSamples& samples, const Standing& standing) {
  if (!lacks_pairs(samples)) {
    return samples.head.empty() && samples.fate != Fate::same ? WarningKind::not_measured
                                                              : WarningKind::no_such_metric;
  }
  return standing.ended ? WarningKind::ended_early : WarningKind::not_measured;
}

/// Of the workloads together it is the report's alpha.
double runs_level(const Standing& standing, const Policy& policy) {
  return policy.alpha * policy.alpha_share / static_cast<double>(standing.workloads.size());
}

std::size_t with_work_left(const std::vector<const Invocation*>& runs) {
  return static_cast<std::size_t>(std::ranges::count_if(runs, [](const Invocation* run) {
    return !run->blocks.empty() && run->blocks.front().facts.contains(kLeftRunning);
  }));
}

/// What a side left to processes that were killed was not measured.
void doubt_work_left(const WorkloadSamples& samples, std::vector<Comparison>& rows) {
  constexpr double kUnlike = 0.25;
  const std::size_t base = with_work_left(samples.base), head = with_work_left(samples.head);
  if (base + head == 0) {
    return;
  }
  const auto share = [](std::size_t some, const std::vector<const Invocation*>& of) {
    return static_cast<double>(some) / static_cast<double>(std::max<std::size_t>(of.size(), 1));
  };
  const double more = share(head, samples.head) - share(base, samples.base);
  for (Comparison& row : rows) {
    if (row.basis != kByPairs) {
      continue;
    }
    row.warnings.push_back({WarningKind::work_left_running,
                            {{"base", base},
                             {"base_runs", samples.base.size()},
                             {"head", head},
                             {"head_runs", samples.head.size()}}});
    if (std::abs(more) > kUnlike) {
      row.verdict = Verdict::inconclusive;
      row.certain = false;
      row.pairs_needed.reset();
    }
  }
}

}  // namespace

std::vector<Comparison> comparison_rows(const WorkloadStanding& workload, const Standing& standing,
                                        const Policy& policy) {
  const Workload& planned = workload.samples.planned->workload;
  std::vector<Comparison> rows = rows_of_series(workload, policy, standing.judged);
  if (workload.samples.fate == Fate::failed) {
    rows.push_back(failed_row(workload, rows, policy));
  } else if (rows.empty() && workload.is_same() && workload.series.empty()) {
    rows.push_back(bare_row(planned.name, planned.params, Verdict::unchanged, policy));
    call_same(rows.back());
  } else if (rows.empty()) {
    rows.push_back(bare_row(planned.name, planned.params, Verdict::inconclusive, policy));
    rows.back().base_params = workload.samples.planned->base_params;
    rows.back().warnings.push_back({why_not_measured(workload.samples, standing)});
  }
  sort_rows(rows);
  if (!lacks_pairs(workload.samples)) {
    attach_checks(workload, runs_level(standing, policy), rows);
    doubt_work_left(workload.samples, rows);
  }
  add_workload_warnings(workload, policy, rows);
  return rows;
}

Comparison bare_row(const std::string& workload, const Params& params, Verdict verdict,
                    const Policy& policy) {
  Comparison row;
  row.workload = workload;
  row.params = params;
  row.metric = kStepTime;
  if (!is_shown(policy, kStepTime.name)) {
    row.metric = is_shown(policy, kPeakRss.name)
                     ? kPeakRss
                     : Metric{policy.metrics.front(), "", Better::lower};
  }
  row.threshold = threshold_for(policy, workload, row.metric.name);
  row.verdict = verdict;
  return row;
}

Comparison missing_row(const std::string& workload, const Policy& policy) {
  Comparison row = bare_row(workload, {}, Verdict::missing, policy);
  row.warnings.push_back({WarningKind::only_at_base});
  return row;
}

}  // namespace perf
