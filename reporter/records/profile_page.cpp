#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "reporter/comparison/report_sections.h"
#include "reporter/pages.h"
#include "reporter/text/quantity.h"
#include "reporter/text/wording.h"

namespace perf::reporter {
namespace {

constexpr std::size_t kShown = 20;     ///< functions a workload
constexpr double kShownShare = 0.005;  ///< and none below half a percentage point

std::string file_name(const std::string& object) {
  return object.substr(object.rfind('/') + 1);
}

/// The hotspots of one revision.
Section hotspots(const Profile& profile) {
  Section section{.table = {.columns = {right("share"), right("of a step"), "function", "in"}}};
  std::size_t shown = 0;
  for (const HotFunction& function : profile.functions) {
    if (shown == kShown || function.share < kShownShare) {
      break;
    }
    const std::string seconds =
        profile.step_time ? quantity(function.share * *profile.step_time, "s") : "-";
    section.table.rows.push_back({.cells = {{number(share_text(function.share))},
                                            {number(seconds)},
                                            {name(function.name)},
                                            {name(file_name(function.object))}}});
    ++shown;
  }
  if (shown < profile.functions.size()) {
    section.lines.push_back({dim(counted(profile.functions.size() - shown, "other function"))});
  }
  return section;
}

/// What moved between two.
Section moved_functions(const std::vector<FunctionChange>& changes) {
  Section section{
      .table = {.columns = {right("base"), right("head"), "of a step", "function", "in"}}};
  for (const FunctionChange& change : changes) {
    const bool timed = change.base_seconds && change.head_seconds;
    section.table.rows.push_back(
        {.cells = {
             {number(share_text(change.base_share))},
             {number(share_text(change.head_share))},
             {number(timed ? quantities(*change.base_seconds, *change.head_seconds, "s") : "-")},
             {name(change.name)},
             {name(change.object)}}});
  }
  if (changes.empty()) {
    section.lines.push_back({"no function's share moved beyond the noise of sampling"});
  }
  return section;
}

Prose title(const WorkloadProfile& one) {
  Prose line{name(one.workload), ": "};
  if (one.base) {
    line.push_back(words(std::to_string(one.base->samples) + " samples at base, "));
  }
  line.push_back(words(std::to_string(one.head.samples) + (one.base ? " at head" : " samples")));
  return line;
}

void keep_problem(const std::string& side, const Profile& profile, std::vector<Prose>& lines) {
  if (!profile.problem.empty()) {
    lines.push_back({bad("not profiled"), words(" at " + side + ": "), data(profile.problem)});
  }
}

bool is_profiled(const WorkloadProfile& one) {
  return one.head.problem.empty() && (!one.base || one.base->problem.empty());
}

Section section_of(const WorkloadProfile& one) {
  Section section = !is_profiled(one) ? Section{}
                    : one.base        ? moved_functions(one.changes)
                                      : hotspots(one.head);
  section.above = title(one);
  if (one.base) {
    keep_problem("base", *one.base, section.lines);
  }
  keep_problem("head", one.head, section.lines);
  return section;
}

}  // namespace

Document page_of(const ProfileReport& report) {
  const auto profiled = std::ranges::count_if(report.workloads, is_profiled);
  const std::size_t all = report.workloads.size();
  const bool complete = static_cast<std::size_t>(profiled) == all;
  Document document{complete ? Mood::good : Mood::bad, {}};
  document.headline = {complete ? Prose{words("Profiled " + counted(all, "workload"))}
                                : Prose{words("Profiled " + std::to_string(profiled) + " of " +
                                              counted(all, "workload"))}};
  Section revisions;
  if (report.base) {
    revisions.lines.push_back(revision_line("base", *report.base));
  }
  revisions.lines.push_back(revision_line("head", report.head));
  document.sections.push_back(std::move(revisions));
  for (const WorkloadProfile& one : report.workloads) {
    document.sections.push_back(section_of(one));
  }
  return document;
}

}  // namespace perf::reporter
