#include <algorithm>
#include <string>

#include "reporter/comparison/report_sections.h"
#include "reporter/text/quantity.h"
#include "reporter/text/wording.h"

namespace perf::reporter {
namespace {

using Open = std::vector<const Comparison*>;

bool has_interval(const Comparison* one) {
  return one->look > 0;
}

bool has_pressure(const std::vector<Warning>& warnings) {
  return std::ranges::any_of(warnings, [](const Warning& one) {
    return one.kind == WarningKind::machine_pressure || one.kind == WarningKind::steal;
  });
}

/// "the budget of 10 s ended after 2 to 3 of the 15 pairs needed for a first look".
std::string why_undecided(const Report& report, const Open& open, bool looked) {
  const auto [least, most] = std::ranges::minmax(open, {}, &Comparison::pairs);
  const std::string fewest = std::to_string(least->pairs), all = std::to_string(most->pairs);
  const auto needed = std::ranges::max(open, {}, &Comparison::pairs_needed)->pairs_needed;
  const bool pressure = has_pressure(report.warnings) ||
                        std::ranges::all_of(open, has_pressure, &Comparison::warnings);
  const std::string why = report.interrupted   ? "interrupted"
                          : looked && pressure ? "too noisy on a machine under pressure,"
                          : report.budget_spent
                              ? "the budget of " + elapsed(report.policy.budget) + " ended"
                          : looked ? "too noisy for a threshold of " + threshold_range(open) + ","
                                   : "too few pairs were completed";
  return why + " after " + (fewest == all ? all : fewest + " to " + all) +
         (looked || !needed ? " pairs"
                            : " of the " + rough_count(*needed) + " pairs needed for a first look");
}

Prose ruled_out(const Report& report, const Open& open) {
  const auto looked = static_cast<std::size_t>(std::ranges::count_if(open, has_interval));
  if (!report.undecided->ruled_out) {
    return {};
  }
  return {"; no change above ", number(rough_percentage(*report.undecided->ruled_out)),
          words(" in " + counted(looked, "comparison") +
                (looked < open.size() ? " with an interval" : ""))};
}

Prose what_to_try(const Report& report, const Open& open, bool looked) {
  const Undecided& undecided = *report.undecided;
  Prose prose;
  if (undecided.budget && *undecided.budget > report.policy.budget) {
    append(prose, "; try ", command("--budget " + budget_option(*undecided.budget)));
    if (looked) {
      append(prose, words(", which would decide about " + std::to_string(undecided.decides)));
    } else if (open.size() > 1) {
      append(prose, " or fewer workloads (", command("-w NAME"), ")");
    }
  }
  if (looked) {
    append(prose, words(prose.empty() ? "; try" : ", or"),
           " a quieter machine: ", command("perf-compare doctor"));
  }
  return prose;
}

}  // namespace

Prose nothing_decided(const Report& report, const Prose& others) {
  const Open open = with_verdict(report, Verdict::inconclusive);
  const bool looked = std::ranges::any_of(open, has_interval);
  return joined(warn("Nothing decided"), words(": " + why_undecided(report, open, looked)),
                ruled_out(report, open), others,
                report.interrupted ? Prose{} : what_to_try(report, open, looked));
}

}  // namespace perf::reporter
