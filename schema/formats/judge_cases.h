#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perf {

/// Samples measured elsewhere: one inner list per invocation, pairs by position.
struct JudgeCase {
  std::string name;
  std::optional<double> threshold;  ///< relative
  std::vector<std::vector<double>> base, head;
};

namespace formats {

/// Reads {"cases": {NAME: {"threshold": t, "base": [[s, ...], ...], "head": [...]}}}.
/// Throws UsageError naming the case and the place for anything else: unequal numbers of
/// invocations, empty invocations, negative or non-finite values, a threshold outside (0, 10).
/// Unknown keys of a case are refused, too, unless they begin with _, comment, note or description;
/// beside "cases" other keys are skipped. A side may have no invocations at all.
std::vector<JudgeCase> read_judge_cases(std::string_view text, const std::string& filename);

}  // namespace formats
}  // namespace perf
