#include "analyzer/check_results.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

namespace perf {
namespace {

void add(std::optional<bool>& passed, bool now) {
  passed = passed.value_or(true) && now;
}

// NaN is as wrong as an error can be.
bool is_worse(double error, const std::optional<double>& than) {
  return !than || (!std::isnan(*than) && !(error <= *than));
}

}  // namespace

std::vector<CheckResult> check_results(const Series& series) {
  std::map<std::string, CheckResult> by_name;
  const auto add_side = [&](const std::vector<Sample>& samples, bool at_head) {
    for (const Sample& sample : samples) {
      if (!sample.block) {
        continue;
      }
      for (const Check& check : sample.block->checks) {
        CheckResult& result = by_name[check.name];
        result.name = check.name;
        add(at_head ? result.head : result.base, check.passed);
        if (check.tolerance && (at_head || !result.tolerance)) {
          result.tolerance = check.tolerance;
        }
        if (at_head && check.error && is_worse(*check.error, result.error)) {
          result.error = check.error;
        }
      }
    }
  };
  add_side(series.base, false);
  add_side(series.head, true);

  std::vector<CheckResult> results;
  results.reserve(by_name.size());
  for (auto& [name, result] : by_name) {
    results.push_back(std::move(result));
  }
  return results;
}

bool is_new_failure(const CheckResult& check) {
  return check.head == std::optional<bool>(false) && check.base != std::optional<bool>(false);
}

bool has_new_check_failure(const Report& report) {
  return std::any_of(report.comparisons.begin(), report.comparisons.end(),
                     [](const Comparison& row) {
                       return std::any_of(row.checks.begin(), row.checks.end(), is_new_failure);
                     });
}

}  // namespace perf
