#include <algorithm>
#include <cmath>

#include "reporter/comparison/report_sections.h"
#include "reporter/text/quantity.h"
#include "reporter/text/sentences.h"
#include "reporter/text/wording.h"

namespace perf::reporter {
namespace {

/// "12 unchanged: no change of 10 % or more; smallest visible change 2.1 %".
Prose unchanged_line(const Report& report) {
  auto unchanged = with_verdict(report, Verdict::unchanged);
  std::erase_if(unchanged, &Comparison::is_same_program);
  if (unchanged.empty()) {
    return {};
  }
  Prose line{strong(std::to_string(unchanged.size()) + " unchanged"), ": no change of ",
             number(threshold_range(unchanged)), " or more"};
  double visible = 0;
  for (const Comparison* comparison : unchanged) {
    visible = std::max(visible, comparison->smallest_visible.value_or(0));
  }
  if (visible > 0) {
    append(line, "; smallest visible change ", number(rough_percentage(visible)));
  }
  return line;
}

bool is_time_unchanged(const Report& report, const std::string& workload) {
  return std::ranges::any_of(report.comparisons, [&](const Comparison& one) {
    return one.workload == workload && one.metric.name == kStepTime.name &&
           one.verdict == Verdict::unchanged;
  });
}

/// "error rate 1 % for all 14 verdicts together; 3 min 36 s of measuring, size ci".
Prose effort_line(const Report& report) {
  const bool elsewhere = is_judged_elsewhere(report);
  Prose line;
  if (report.judged > 0 && (report.measured > 0 || elsewhere)) {
    line.push_back(
        dim("error rate " + percentage(report.policy.alpha) +
            (report.judged > 1 ? " for all " + std::to_string(report.judged) + " verdicts together"
             : elsewhere       ? " for each verdict"
                               : "") +
            "; "));
  }
  line.push_back(dim(report.measured > 0 ? elapsed(report.measured) + " of measuring"
                                         : "nothing was measured"));
  if (!report.size.empty()) {
    append(line, dim(", size "), data(report.size));
  }
  return line;
}

/// "19 unchanged: the same program".
Prose same_line(const Report& report) {
  const auto same = std::ranges::count_if(report.comparisons, [](const Comparison& one) {
    return one.judged && one.is_same_program();
  });
  return same == 0 ? Prose{}
                   : Prose{strong(std::to_string(same) + " unchanged"),
                           ": the same program on both sides"};
}

/// Arms measured beside the comparisons, and which of them moved without a reason.
Prose quiet_line(const std::vector<ControlResult>& beside, const char* what, const char* moved) {
  if (beside.empty()) {
    return {};
  }
  int judged = 0, quiet = 0;
  double most = 0;
  Prose alarms;
  for (const ControlResult& control : beside) {
    // Below the first look an arm has no interval: it cannot be called anything, so it is not
    // quiet.
    if (!control.alarmed && !control.interval) {
      continue;
    }
    ++judged;
    quiet += control.alarmed ? 0 : 1;
    most = std::max(most, std::abs(control.change.value_or(0)));
    if (control.alarmed) {
      append(alarms, words(alarms.empty() ? ": " : ", "), name(control.workload), " ",
             name(control.metric.name));
      if (control.change) {
        append(alarms, " ", number(change_text(control.change, control.interval)));
      }
    }
  }
  Prose line{what};
  if (judged > 0) {
    append(line, number(std::to_string(quiet) + " of " + std::to_string(judged)), " quiet; ", moved,
           " moved by ", number(rough_percentage(most)), " at most");
  }
  if (const std::size_t too_few = beside.size() - static_cast<std::size_t>(judged)) {
    append(line, words(judged > 0 ? "; " : ""), number(std::to_string(too_few)),
           " had too few pairs");
  }
  if (!alarms.empty()) {
    append(line, bad("; called changed"), alarms);
  }
  return line;
}

}  // namespace

Prose control_line(const Report& report) {
  return quiet_line(report.controls, "control arms: ", "base against itself");
}

Prose audit_line(const std::vector<ControlResult>& audits) {
  return quiet_line(audits, "audits: ", "the same program");
}

std::vector<Prose> exact_count_lines(const Report& report) {
  const std::vector<const Comparison*> shown = shown_changes(report);
  std::vector<Prose> lines;
  std::size_t same = 0;
  for (const Comparison& one : report.comparisons) {
    if (!one.exact || !one.change) {
      continue;
    }
    if (*one.change == 0) {
      ++same;
    } else if (std::ranges::find(shown, &one) == shown.end()) {
      Prose line{name(one.workload), ": "};
      if (one.notes.empty()) {
        append(line, name(one.metric.name), " ", number(change_text(one.change)));
      } else {
        line.push_back(
            data(sentence(one.notes.front())));  // the count's own words, as fine as they need be
      }
      if (is_time_unchanged(report, one.workload)) {
        line.push_back("; its time is unchanged");
      }
      lines.push_back(std::move(line));
    }
  }
  if (same > 0) {
    lines.push_back(
        {words(counted(same, "count is", "counts are") + " exactly equal at base and head")});
  }
  return lines;
}

std::vector<Prose> count_lines(const Report& report, const std::string& in_full) {
  std::vector<Prose> lines;
  keep(lines, unchanged_line(report));
  keep(lines, same_line(report));
  const auto reported =
      std::ranges::count_if(report.comparisons, [](const Comparison& one) { return !one.judged; });
  if (reported > 0) {
    lines.push_back(
        {words(counted(reported, "metric") + " reported, not judged (" + in_full + ")")});
  }
  append(lines, exact_count_lines(report));
  keep(lines, control_line(report));
  keep(lines, audit_line(report.audits));
  lines.push_back(effort_line(report));
  return lines;
}

}  // namespace perf::reporter
