#include <algorithm>
#include <set>
#include <string>

#include "reporter/comparison/report_sections.h"
#include "reporter/text/quantity.h"
#include "schema/text/wording.h"

namespace perf::reporter {
namespace {

constexpr std::size_t kShownReasons = 8;
constexpr std::size_t kNamedWorkloads = 3;
constexpr std::size_t kNowhere = std::string::npos;

/// Whether a reason names an input that differs ("bench.py: line 6", "a.txt differs"), and is not
/// a sentence ("strace is not installed").
bool names_input(std::string_view reason) {
  return reason.ends_with(" differs") || reason.find(": line ") != kNowhere ||
         reason.find(": only ") != kNowhere || reason.find(": .") != kNowhere;
}

}  // namespace

Prose reason_phrase(std::string because) {
  if (!names_input(because)) {
    return {dim("measured because: "), data(because)};
  }
  const std::string_view line = ": line ";
  if (const std::size_t at = because.rfind(line); at != kNowhere) {
    because.replace(at, line.size(), ":");
  }
  return {dim("changed input: "), data(because)};
}

Prose names_of(const std::vector<std::string>& workloads) {
  Prose prose;
  for (std::size_t i = 0; i < std::min(workloads.size(), kNamedWorkloads); ++i) {
    append(prose, words(i == 0 ? "" : ", "), name(workloads[i]));
  }
  if (workloads.size() > kNamedWorkloads) {
    prose.push_back(words(" and " + std::to_string(workloads.size() - kNamedWorkloads) + " more"));
  }
  return prose;
}

Prose same_program_phrase(const Report& report) {
  std::set<std::string> all, same;
  for (const Comparison& row : report.comparisons) {
    all.insert(row.workload);
    if (row.is_same_program()) {
      same.insert(row.workload);
    }
  }
  if (same.empty()) {
    return {};
  }
  const std::string these = same.size() == all.size() ? "every workload runs"
                                                      : std::to_string(same.size()) + " of " +
                                                            counted(std::ssize(all), "workload") +
                                                            (same.size() == 1 ? " runs" : " run");
  return {words(these + " the same program on both sides")};
}

std::string change_cell(const Comparison& comparison) {
  if (comparison.is_same_program()) {
    return kSameProgram;
  }
  if (comparison.change) {
    return change_text(comparison.change, comparison.exact ? std::nullopt : comparison.interval);
  }
  const bool is_undecided = comparison.verdict == Verdict::inconclusive && comparison.base &&
                            comparison.base->median == 0 && comparison.head &&
                            comparison.head->median > 0;
  return comparison.verdict == Verdict::regressed || is_undecided ? "from zero" : "-";
}

std::vector<WhyMeasured> why_measured(const Report& report) {
  std::vector<WhyMeasured> all;
  for (const Comparison& row : report.comparisons) {
    if (row.measured_because.empty()) {
      continue;
    }
    auto found = std::ranges::find(all, row.measured_because, &WhyMeasured::because);
    if (found == all.end()) {
      found = all.insert(found, {row.measured_because, {}});
    }
    if (std::ranges::find(found->workloads, row.workload) == found->workloads.end()) {
      found->workloads.push_back(row.workload);
    }
  }
  return all;
}

Section why_measured_section(const Report& report, const std::string& in_full) {
  Section section{.title = "Changed inputs"};  // lines: a cell would cut what differs
  const std::vector<WhyMeasured> all = why_measured(report);
  for (std::size_t i = 0; i < std::min(all.size(), kShownReasons); ++i) {
    section.lines.push_back(
        joined(reason_phrase(all[i].because), " (", names_of(all[i].workloads), ")"));
  }
  if (all.size() > kShownReasons) {
    section.lines.push_back(
        {words(std::to_string(all.size() - kShownReasons) + " more reasons (" + in_full + ")")});
  }
  return section;
}

}  // namespace perf::reporter
