#include "ci/cli/exit_code.h"

#include <algorithm>

#include "analyzer/rows/check_results.h"

namespace perf {
namespace {

bool any_with(const std::vector<Comparison>& comparisons, Verdict verdict) {
  return std::any_of(comparisons.begin(), comparisons.end(),
                     [verdict](const Comparison& c) { return c.judged && c.verdict == verdict; });
}

bool misses_a_target(const Report& report) {
  return std::any_of(report.targets.begin(), report.targets.end(),
                     [](const TargetResult& t) { return t.met == false; });
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

}  // namespace perf
