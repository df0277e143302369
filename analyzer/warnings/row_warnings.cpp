#include "analyzer/warnings/row_warnings.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "analyzer/samples/samples.h"
#include "analyzer/statistics/centre_and_spread.h"
#include "analyzer/statistics/shift.h"
#include "schema/readings.h"
#include "schema/text/lists.h"

namespace perf {
namespace {

/// s; a process is started in 1 ms or more (docs/formats.md).
constexpr double kShortProcess = 0.01;

// Of judged rows only.
void warn_of_noise(const Policy& policy, Comparison& row) {
  const auto is_noisy = [&policy](const std::optional<SideStats>& stats) {
    return stats && stats->cov > policy.noisy_cov;
  };
  if (row.judged && (is_noisy(row.base) || is_noisy(row.head))) {
    Warning warning{WarningKind::noisy, {{"most", policy.noisy_cov}}};
    if (row.base) {
      warning.figures["base"] = row.base->cov;
    }
    if (row.head) {
      warning.figures["head"] = row.head->cov;
    }
    row.warnings.push_back(std::move(warning));
  }
}

/// Facts of a workload that change the speed of the same code.
bool fact_of_workload_changes_timing(std::string_view fact) {
  return is_one_of(
      fact, {"backend", "blas", "blas_core", "blas_threads", "boost", "build_type", "compiler",
             "device", "dtype", "flags", "governor", "runtime", "simd", "threads"});
}

void add_unlike_facts(const WorkloadSamples& samples, Comparison& row) {
  for (const Unlike& fact : unlike(stated_by(samples.base).facts, stated_by(samples.head).facts)) {
    if (fact_of_workload_changes_timing(fact.name)) {
      row.warnings.push_back({WarningKind::unlike_environments, {}, fact.about()});
    } else {
      row.notes.push_back({WarningKind::sides_differ, {}, fact.about()});
    }
  }
}

double mean_step(const Sample& sample) {
  if (sample.block->pruned) {
    return sample.block->pruned->mean;
  }
  const std::vector<double> steps = timed_steps(*sample.block);
  return steps.empty() ? sample.value : mean(steps);
}

/// A verdict by medians that means contradict, by the same rule at the same look.
void warn_of_means(const MetricStanding& one, Comparison& row) {
  std::vector<double> differences;
  for (const PairedSample& pair :
       std::span(one.series.pairs).first(static_cast<std::size_t>(one.decision.pairs))) {
    const std::optional<double> difference =
        pair.base.block && pair.head.block ? log_ratio(mean_step(pair.base), mean_step(pair.head))
                                           : std::nullopt;
    if (!difference) {
      return;
    }
    differences.push_back(*difference);
  }
  const std::optional<Shift> shift = shift_at_look(differences, one.rule);
  const Verdict by_means =
      shift ? verdict_at_look(*shift, one.rule.better, one.rule.bounds) : Verdict::inconclusive;
  const auto change = shift ? relative_change(shift->estimate) : std::nullopt;
  if (change && row.change && by_means != Verdict::inconclusive && by_means != row.verdict) {
    row.warnings.push_back(
        {WarningKind::mean_disagrees, {{"mean", *change}, {"median", *row.change}}});
  }
}

Warning why_incomparable(const MetricStanding& one, const WorkloadStanding& workload) {
  if (one.series.too_few) {
    return one.series.too_few->warning(one.series.metric.name);
  }
  if (workload.not_same_work) {
    return {WarningKind::not_same_work, {}, workload.not_same_work->about()};
  }
  return one.series.unlike ? Warning{WarningKind::unlike_units, {}, {{"where", "on both sides"}}}
                           : Warning{WarningKind::no_ratio};
}

bool is_of_largest(const std::vector<const Invocation*>& runs) {
  return value_or_empty(stated_by(runs).facts, kMemoryOf) == kLargestProcess;
}

// Where two settings are compared, add_fairness_warnings names the parameters.
Warning unlike_params(const WorkloadSamples& samples) {
  Warning warning{WarningKind::unlike_params, {}, {{"of", "invocations"}}};
  if (samples.planned->base_params) {
    return warning;
  }
  for (const Unlike& param :
       unlike(stated_by(samples.base).params, stated_by(samples.head).params)) {
    std::string& differences = warning.about["differences"];
    differences += (differences.empty() ? "" : "; ") + param.text();
  }
  return warning;
}

}  // namespace

void add_series_warnings(const MetricStanding& one, const WorkloadStanding& workload,
                         const Policy& policy, int judged, Comparison& row) {
  const MetricSamples& series = one.series;
  const WorkloadSamples& samples = workload.samples;
  warn_of_noise(policy, row);
  if (one.incomparable) {
    row.warnings.push_back(why_incomparable(one, workload));
  } else if (one.open() && one.decision.look == 0 && !one.rule.looks.empty()) {
    row.warnings.push_back(
        {WarningKind::too_few_pairs,
         {{"pairs", one.differences.size()}, {"needed", one.rule.first_interval()}}});
  } else if (one.under_test && one.decision.look > 0) {
    if (series.of_steps && one.decision.verdict != Verdict::inconclusive) {
      warn_of_means(one, row);
    }
    std::ranges::move(
        session_warnings(one, static_cast<std::size_t>(one.decision.pairs), policy, judged),
        std::back_inserter(row.warnings));
  }
  if (series.judged && !series.in_first_pair) {
    row.warnings.push_back({WarningKind::not_in_first_pair});
  } else if (series.pairs.size() < samples.pairs.size()) {
    row.warnings.push_back({WarningKind::incomplete_pairs,
                            {{"pairs", series.pairs.size()}, {"all", samples.pairs.size()}}});
  }
  if (series.params_differ) {
    row.warnings.push_back(unlike_params(samples));
  }
}

void add_workload_warnings(const WorkloadStanding& workload, const Policy& policy,
                           std::vector<Comparison>& rows) {
  const WorkloadSamples& samples = workload.samples;
  const auto of_time = std::ranges::find(rows, kStepTime, &Comparison::metric);
  const auto main_row = of_time == rows.end() ? rows.begin() : of_time;
  if (samples.fate == Fate::alone) {
    main_row->warnings.push_back({WarningKind::not_compared, {}, samples.reason.about()});
    if (!samples.told.empty()) {
      main_row->notes.push_back({WarningKind::program_output, {}, {{"text", samples.told}}});
    }
  }
  if (samples.warmup) {
    const NewFiles& files = samples.planned->new_files;
    main_row->notes.push_back(
        {WarningKind::warmup_pair, {{"files", files.count}}, {{"file", files.first}}});
  }
  if (!samples.retries.empty()) {
    main_row->warnings.push_back(
        {WarningKind::retried,
         {{samples.fate == Fate::alone ? "invocations" : "pairs", samples.retries.size()}},
         samples.retries.front().about()});
  }
  if (samples.fate == Fate::paired && !samples.lost_to_others.empty()) {
    main_row->warnings.push_back(
        {WarningKind::device_in_use, {}, {{"why", samples.lost_to_others}}});
  } else if (samples.fate == Fate::paired && samples.given_up) {
    main_row->warnings.push_back({WarningKind::given_up});
  }
  add_device_warnings(samples, *main_row);
  std::ranges::move(machine_warnings(samples, policy), std::back_inserter(main_row->warnings));
  const auto of_memory = std::ranges::find(rows, kPeakRss, &Comparison::metric);
  if (of_memory != rows.end() && (is_of_largest(samples.base) || is_of_largest(samples.head))) {
    of_memory->warnings.push_back({WarningKind::largest_process});
  }
  if (samples.planned->workload.format == kProcessFormat && main_row->metric == kStepTime &&
      main_row->base && main_row->base->median < kShortProcess) {
    main_row->notes.push_back({WarningKind::short_process});
  }
  if (samples.planned->base_params) {
    add_fairness_warnings(samples, *main_row);
  } else {
    add_unlike_facts(samples, *main_row);
  }
}

}  // namespace perf
