#include "ci/cli/exit_code.h"

#include <algorithm>

#include "analyzer/rows/check_results.h"

namespace perf {
namespace {

bool any_with(const std::vector<Comparison>& comparisons, Verdict verdict) {
  return std::ranges::any_of(
      comparisons, [verdict](const Comparison& c) { return c.judged && c.verdict == verdict; });
}

bool misses_a_target(const Report& report) {
  return std::ranges::any_of(report.targets, [](const TargetResult& t) { return t.met == false; });
}

bool has(const CollectedCommit& commit, CollectedStatus status) {
  return std::ranges::any_of(commit.workloads, [&](const CollectedWorkload& workload) {
    return workload.status == status;
  });
}

}  // namespace

int exit_code(const std::vector<Comparison>& cases, bool strict) {
  if (any_with(cases, Verdict::regressed)) {
    return kRegression;
  }
  if (any_with(cases, Verdict::failed)) {
    return kNotMeasured;
  }
  if (strict && (any_with(cases, Verdict::inconclusive) || any_with(cases, Verdict::missing))) {
    return kUndecided;
  }
  return kFine;
}

int exit_code(const Report& report, bool strict) {
  const int verdicts = exit_code(report.comparisons, strict);
  if (verdicts == kRegression || has_new_check_failure(report) || misses_a_target(report)) {
    return kRegression;
  }
  if (verdicts == kNotMeasured || report.nothing_ran) {
    return kNotMeasured;
  }
  return verdicts;
}

int exit_code(const Collection& collection) {
  bool anything = false, nothing_wanted = true, failed = false;
  for (const CollectedCommit& commit : collection.commits) {
    nothing_wanted = nothing_wanted && commit.status == CollectedStatus::skipped;
    failed = failed || has(commit, CollectedStatus::failed);
    anything = anything || commit.status == CollectedStatus::skipped;
    for (const CollectedWorkload& workload : commit.workloads) {
      anything = anything || workload.invocations > 0;
    }
  }
  if (nothing_wanted) {
    return kFine;
  }
  return !anything || (failed && !collection.is_range) ? kNotMeasured : kFine;
}

}  // namespace perf
