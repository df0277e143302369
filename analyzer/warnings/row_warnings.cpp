#include "analyzer/warnings/row_warnings.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "analyzer/samples/samples.h"

namespace perf {
namespace {

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

Warning why_incomparable(const MetricStanding& one, const WorkloadStanding& workload) {
  if (workload.not_same_work) {
    return {WarningKind::not_same_work, {}, workload.not_same_work->about()};
  }
  return one.series.unlike ? Warning{WarningKind::unlike_units, {}, {{"where", "on both sides"}}}
                           : Warning{WarningKind::no_ratio};
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
         {{"pairs", one.differences.size()}, {"needed", one.rule.looks.front()}}});
  } else if (one.under_test && one.decision.look > 0) {
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
  if (!samples.retries.empty()) {
    main_row->warnings.push_back(
        {WarningKind::retried,
         {{samples.fate == Fate::alone ? "invocations" : "pairs", samples.retries.size()}},
         samples.retries.front().about()});
  }
  if (samples.fate == Fate::paired && samples.given_up) {
    main_row->warnings.push_back({WarningKind::given_up});
  }
  std::ranges::move(machine_warnings(samples, policy), std::back_inserter(main_row->warnings));
  if (samples.planned->base_params) {
    add_fairness_warnings(samples, *main_row);
  } else {
    add_unlike_facts(samples, *main_row);
  }
}

}  // namespace perf
