#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <string>

#include "analyzer/rows/comparison_rows.h"

namespace perf {
namespace {

// NaN is as wrong as an error can be.
bool is_worse(double error, const std::optional<double>& than) {
  return !than || (!std::isnan(*than) && !(error <= *than));
}

double log_choose(int n, int k) {
  return std::lgamma(n + 1.0) - std::lgamma(k + 1.0) - std::lgamma(n - k + 1.0);
}

// P(head has so many of the failures, or more | failures fall on any invocation alike).
double fisher_p_value(const CheckResult& check) {
  const int failed = check.base_failed + check.head_failed;
  double p_value = 0;
  for (int at_head = check.head_failed; at_head <= std::min(failed, check.head_runs); ++at_head) {
    p_value += std::exp(log_choose(check.head_runs, at_head) +
                        log_choose(check.base_runs, failed - at_head) -
                        log_choose(check.head_runs + check.base_runs, failed));
  }
  return p_value;
}

bool fails_in_a_new_way(const CheckResult& check) {
  if (check.head_failed == 0 || check.base_failed == 0) {
    return check.head_failed > 0;
  }
  const bool always_against_seldom =
      check.head_failed == check.head_runs && 2 * check.base_failed < check.base_runs;
  return always_against_seldom || fisher_p_value(check) <= kShakyCheckLevel;
}

/// Whether a check of head passes only by a tolerance that head itself has loosened.
bool passes_by_own_tolerance(const Check& check, const std::optional<double>& of_base) {
  return of_base && check.tolerance && *check.tolerance > *of_base && check.error &&
         is_worse(*check.error, of_base);
}

/// What head stopped reporting counts as failed: head lacks it in more invocations than base, by
/// the rule for failures.
void add_unreported(int base_blocks, int head_blocks, CheckResult& check) {
  CheckResult reported;
  reported.base_runs = base_blocks;
  reported.base_failed = base_blocks - check.base_runs;
  reported.head_runs = head_blocks;
  reported.head_failed = head_blocks - check.head_runs;
  if (check.base_runs > 0 && head_blocks > 0 && fails_in_a_new_way(reported)) {
    check.unreported = reported.head_failed;
    check.head = false;
    check.head_failed += reported.head_failed;
    check.head_runs = head_blocks;
  }
}

/// Of all its runs; nothing where none failed, or a side did not run.
std::optional<CheckResult> check_of_runs(CheckResult runs, double level) {
  if (runs.base_failed + runs.head_failed == 0 || runs.base_runs == 0 || runs.head_runs == 0) {
    return std::nullopt;
  }
  runs.name = kRunsEndWell;
  runs.new_failure = runs.head_failed > 0 && fisher_p_value(runs) <= level;
  runs.base = runs.base_failed == 0;
  runs.head = !*runs.new_failure;
  return runs;
}

void add_check(const Check& check, bool at_head, CheckResult& result) {
  result.name = check.name;
  const bool passes =
      check.passed && !(at_head && passes_by_own_tolerance(check, result.tolerance));
  std::optional<bool>& passed = at_head ? result.head : result.base;
  passed = passed.value_or(true) && passes;
  ++(at_head ? result.head_runs : result.base_runs);
  (at_head ? result.head_failed : result.base_failed) += passes ? 0 : 1;
  const bool is_known = result.tolerance && check.tolerance;
  result.tolerance = is_known && at_head ? std::min(result.tolerance, check.tolerance)
                     : result.tolerance  ? result.tolerance
                                         : check.tolerance;
  if (at_head && check.error && is_worse(*check.error, result.error)) {
    result.error = check.error;
  }
}

ChecksOfRuns checks_of(const std::vector<const Block*>& traced,
                       const std::vector<Sample>& samples) {
  ChecksOfRuns all;
  for (const Block* block : traced) {
    all.push_back(block->checks);
  }
  for (const Sample& sample : samples) {
    if (sample.block) {
      all.push_back(sample.block->checks);
    }
  }
  return all;
}

bool is_shaky(int failed, int runs) {
  return failed > 0 && failed < runs;
}

}  // namespace

std::vector<CheckResult> check_results(const ChecksOfRuns& base, const ChecksOfRuns& head) {
  std::map<std::string, CheckResult> by_name;
  for (const bool at_head : {false, true}) {
    for (const std::vector<Check>& checks : at_head ? head : base) {
      for (const Check& check : checks) {
        add_check(check, at_head, by_name[check.name]);
      }
    }
  }
  std::vector<CheckResult> results;
  for (auto& [name, result] : by_name) {
    add_unreported(static_cast<int>(base.size()), static_cast<int>(head.size()), result);
    result.new_failure = is_new_failure(result);
    results.push_back(std::move(result));
  }
  return results;
}

std::vector<CheckResult> check_results(const MetricSamples& series) {
  return check_results(checks_of(series.only_traced_base, series.base),
                       checks_of(series.only_traced_head, series.head));
}

bool is_new_failure(const CheckResult& check) {
  if (check.new_failure) {
    return *check.new_failure;
  }
  const bool is_counted = check.base_runs > 0 || check.head_runs > 0;
  return is_counted ? fails_in_a_new_way(check) : newly_fails(check);
}

std::vector<Warning> check_notes(const std::vector<CheckResult>& checks) {
  std::vector<Warning> notes;
  for (const CheckResult& check : checks) {
    if (check.unreported > 0) {
      notes.push_back({WarningKind::check_unreported,
                       {{"runs", check.unreported}, {"all", check.head_runs}},
                       {{"check", check.name}}});
      continue;
    }
    if (check.head_failed > 0 && (is_shaky(check.head_failed, check.head_runs) ||
                                  is_shaky(check.base_failed, check.base_runs))) {
      Warning& note = notes.emplace_back();
      note = {WarningKind::unstable_check,
              {{"head_failed", check.head_failed}, {"head_runs", check.head_runs}},
              {{"check", check.name}}};
      if (check.base_runs > 0) {
        note.figures["base_failed"] = check.base_failed;
        note.figures["base_runs"] = check.base_runs;
      }
    }
  }
  return notes;
}

bool has_new_check_failure(const Report& report) {
  return std::ranges::any_of(report.comparisons, [](const Comparison& row) {
    return std::ranges::any_of(row.checks, is_new_failure);
  });
}

void attach_checks(const std::string& workload, std::vector<CheckResult> checks,
                   std::vector<Comparison>& rows) {
  if (checks.empty()) {
    return;
  }
  const auto any = std::ranges::find(rows, workload, &Comparison::workload);
  Comparison* row = find_row(workload, kStepTime, rows);
  if (!row) {
    row = any == rows.end() ? &rows.front() : &*any;
  }
  std::ranges::move(check_notes(checks), std::back_inserter(row->notes));
  std::ranges::move(checks, std::back_inserter(row->checks));
}

void attach_checks(const WorkloadStanding& workload, double runs_level,
                   std::vector<Comparison>& rows) {
  std::set<std::string> done;
  for (const bool of_steps_only : {true, false}) {
    for (const MetricStanding& one : workload.series) {
      const std::string& name = one.series.workload;
      if (done.contains(name) || (of_steps_only && !one.series.of_steps)) {
        continue;
      }
      std::vector<CheckResult> checks = check_results(one.series);
      if (!checks.empty()) {
        done.insert(name);
        attach_checks(name, std::move(checks), rows);
      }
    }
  }
  if (const auto runs = check_of_runs(workload.samples.runs, runs_level)) {
    Comparison* const of_time = find_row(entry_name(*workload.samples.planned), kStepTime, rows);
    Comparison& row = of_time ? *of_time : rows.front();
    row.warnings.push_back({WarningKind::runs_failed,
                            {{"base_failed", runs->base_failed},
                             {"base_runs", runs->base_runs},
                             {"head_failed", runs->head_failed},
                             {"head_runs", runs->head_runs}}});
    row.checks.push_back(*runs);
  }
}

}  // namespace perf
