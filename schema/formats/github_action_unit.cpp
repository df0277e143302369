#include "schema/formats/github_action_unit.h"

#include <optional>
#include <string>

#include "schema/formats/unit_size.h"

namespace perf::formats {
namespace {

constexpr std::string_view kBiggerIsBetter = "customBiggerIsBetter";
constexpr std::string_view kSmallerIsBetter = "customSmallerIsBetter";

struct Fraction {
  std::string_view over, under;
};

/// "ns/iter" is ns over iter; "ms" is ms over nothing.
Fraction fraction_of(std::string_view unit) {
  const std::size_t slash = unit.find('/');
  if (slash == std::string_view::npos) {
    return {unit, {}};
  }
  return {unit.substr(0, slash), unit.substr(slash + 1)};
}

bool is_of_iteration(std::string_view under) {
  return under.empty() || under == "iter" || under == "op" || under == "iteration";
}

/// A quantity over a time: "ops/sec", "iter/sec", "ops/ms", "MB/s".
std::optional<ActionMeaning> rate_of(std::string_view tool, const Fraction& unit) {
  const std::optional<double> seconds = seconds_in(unit.under);
  if (!seconds) {
    return std::nullopt;
  }
  if (const std::optional<double> bytes = bytes_in(unit.over)) {
    return ActionMeaning{{"bytes_per_second", "B/s", Better::higher}, *bytes / *seconds, true};
  }
  if (unit.over != "ops" && unit.over != "op" && unit.over != "iter") {
    return std::nullopt;
  }
  const bool inverse = tool == "pytest" || tool == "benchmarkjs";
  return ActionMeaning{{"ops_per_second", "1/s", Better::higher}, 1 / *seconds, !inverse, inverse};
}

}  // namespace

ActionMeaning action_meaning_of(std::string_view tool, std::string_view unit) {
  // Early versions kept all of Go's measures in the unit: "ns/op\t  16 B/op\t  2 allocs/op".
  if (tool == "go") {
    unit = unit.substr(0, unit.find_first_of("\t "));
  }
  const Fraction fraction = fraction_of(unit);
  const bool bigger = tool == kBiggerIsBetter;
  const std::optional<double> seconds = seconds_in(fraction.over);
  if (seconds && is_of_iteration(fraction.under) && !bigger) {
    return {kStepTime, *seconds, true};
  }
  if (const std::optional<ActionMeaning> rate = rate_of(tool, fraction);
      rate && tool != kSmallerIsBetter) {
    return *rate;
  }
  if (unit == "B/op") {
    return {{"bytes_per_op", "B", Better::lower}, 1, true};
  }
  if (unit == "allocs/op") {
    return {{"allocs_per_op", "1", Better::lower}, 1, true};
  }
  const std::optional<double> bytes = bytes_in(unit);
  const Metric metric{"value", bytes ? "B" : std::string(unit),
                      bigger ? Better::higher : Better::lower};
  return {metric, bytes.value_or(1), bigger || tool == kSmallerIsBetter};
}

}  // namespace perf::formats
