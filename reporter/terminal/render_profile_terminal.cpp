#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "reporter/comparison/measured_where.h"
#include "reporter/comparison/remarks.h"
#include "reporter/render.h"
#include "reporter/terminal/style.h"
#include "reporter/text/quantity.h"
#include "reporter/text/wording.h"

namespace perf {
namespace {

using namespace reporter;

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

Section section_of(const WorkloadProfile& one) {
  std::vector<Prose> problems;
  if (one.base) {
    keep_problem("base", *one.base, problems);
  }
  keep_problem("head", one.head, problems);
  if (!problems.empty()) {
    return {.lines = std::move(problems)};
  }
  return one.base ? moved_functions(one.changes) : hotspots(one.head);
}

}  // namespace

std::string render_profile_terminal(const ProfileReport& report, bool color) {
  const TerminalStyle style{color};
  std::string text =
      report.base ? terminal_prose(revision_line("base", *report.base), 0, style) : "";
  text += terminal_prose(revision_line("head", report.head), 0, style);
  for (const WorkloadProfile& one : report.workloads) {
    const Section section = section_of(one);
    text += '\n' + terminal_prose(title(one), 0, style);
    text += terminal_table(section.table, style);
    for (const Prose& line : section.lines) {
      text += terminal_prose(line, kIndent, style);
    }
  }
  return text;
}

}  // namespace perf
