#include "ci/cli/exit_code.h"

#include <algorithm>
#include <cstddef>

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

constexpr int kSignalled = 128;  // and above: ended by a signal

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
  const auto skipped = static_cast<std::size_t>(count_of(collection, CollectedStatus::skipped));
  if (skipped == collection.commits.size()) {
    return kFine;
  }
  bool anything = skipped > 0, failed = false;
  for (const CollectedCommit& commit : collection.commits) {
    for (const CollectedWorkload& workload : commit.workloads) {
      anything = anything || workload.invocations > 0;
      failed = failed || workload.status == CollectedStatus::failed;
    }
  }
  return !anything || (failed && !collection.is_range) ? kNotMeasured : kFine;
}

int git_bisect_code(const Report& report) {
  if (any_with(report.comparisons, Verdict::regressed)) {
    return kBisectBad;
  }
  bool any = false, all_good = !has_new_check_failure(report);
  for (const Comparison& one : report.comparisons) {
    // What only one side has speaks neither for nor against a commit.
    if (one.judged && one.verdict != Verdict::missing && one.verdict != Verdict::fresh) {
      any = true;
      all_good =
          all_good && (one.verdict == Verdict::unchanged || one.verdict == Verdict::improved);
    }
  }
  return any && all_good ? kBisectGood : kBisectSkip;
}

int git_bisect_code(int code) {
  return code >= kSignalled ? code : static_cast<int>(kBisectSkip);
}

}  // namespace perf
