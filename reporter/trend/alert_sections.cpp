#include <algorithm>
#include <string>

#include "reporter/text/quantity.h"
#include "reporter/text/wording.h"
#include "reporter/trend/findings.h"

namespace perf::reporter {
namespace {

constexpr std::size_t kShownKnown = 12;

/// "▁▁▂▁▁▇█▇  noise 0.8 % before, 1.1 % after".
Prose history_remark(const Finding& finding) {
  const std::string noise = finding.step
                                ? rough_percentage(finding.step->noise_before) + " before, " +
                                      rough_percentage(finding.step->noise_after) + " after"
                                : rough_percentage(finding.series->noise);
  return {number(history_line(*finding.series, finding.step)), dim("  noise " + noise)};
}

Prose facts_remark(const ChangePoint& step) {
  Prose remark{warn("changed there"), ": "};
  for (std::size_t i = 0; i < step.facts.size(); ++i) {
    append(remark, words(i == 0 ? "" : ", "), data(step.facts[i]));
  }
  return remark;
}

/// What changed where no commit changed the program.
Prose outside_remark(const ChangePoint& step) {
  Prose remark{warn("outside"), ": "};
  if (step.machine_event) {
    remark.push_back("other series of the machine moved too; ");
  }
  for (std::size_t i = 0; i < step.changed_outside.size(); ++i) {
    append(remark, words(i == 0 ? "" : ", "), data(step.changed_outside[i]));
  }
  if (step.changed_outside.empty()) {
    remark.push_back("no recorded fact of the machine changed there");
  }
  return remark;
}

Row alert_row(const TrendDigest& trend, const Finding& finding) {
  Row row{finding_cells(trend, finding), trend.names.series(*finding.series),
          alert_remarks(trend.report, finding)};
  row.remarks.insert(row.remarks.begin() + 1, history_remark(finding));
  return row;
}

/// What people decided, and what points since say of it.
Prose decision_remark(const Finding& finding) {
  Prose remark = decision_phrase(*finding.decision);
  if (finding.state == AlertState::reopened) {
    remark.push_back(words(finding.decision->news == AlertNews::fixed
                               ? "; later points contradict it"
                               : "; it has grown since"));
  }
  return remark;
}

/// An alert that was shown before, of this kind.
Prose known_line(const TrendDigest& trend, const Finding& finding, const Span& kind) {
  Prose line = finding_line(trend, finding, {kind, ": "});
  append(line, ", alert ", data(short_oid(finding.alert_id)));
  if (!finding.first_seen.empty()) {
    append(line, ", first shown ", data(day_of(finding.first_seen)));
  }
  if (!finding.confirmed_by.empty()) {
    line.push_back(", confirmed");
  } else {
    add_confirm_command(line, finding);
  }
  if (finding.decision) {
    append(line, "; ", decision_remark(finding));
  }
  return line;
}

/// All that were ignored on one line, with the clearest of them.
Prose ignored_line(const TrendDigest& trend, const std::vector<Finding>& ignored) {
  Prose line{strong("ignored"), ": "};
  if (ignored.size() > 1) {
    line.push_back(words(counted(ignored.size(), "alert") + ", the clearest: "));
  }
  append(line, change_phrase(ignored.front(), trend.names), ", alert ",
         data(short_oid(ignored.front().alert_id)), ", ",
         decider_phrase(*ignored.front().decision));
  return line;
}

/// Once, below all alerts that may be decided about.
Prose how_to_decide() {
  return {dim("to decide about an alert: "), command("perf-compare alert ack ALERT --reason TEXT"),
          dim(" (or ignore, or fixed)")};
}

/// "recovered: `parser` `step_time` is back at the level of before +12.4 % at 3f2a9c01d2e4".
Prose closed_line(const TrendSeries& series, const ClosedAlert& closed, const SeriesNames& names) {
  const bool recovered = closed.state == AlertState::recovered;
  Prose line = joined(
      Span{recovered ? Tone::good : Tone::strong, recovered ? "recovered" : "withdrawn"}, ": ",
      names.series(series),
      words(recovered ? " is back where it was before " : ": not confirmed by later points: "),
      number(change_text(closed.alert.change)), " at ", data(short_oid(closed.alert.oid)));
  if (!closed.alert.events.empty()) {
    append(line, ", first shown ", data(day_of(closed.alert.events.front().at)));
  }
  if (const auto decision = decision_about(closed.alert)) {
    append(line, "; ", decision_phrase(*decision));
  }
  return line;
}

void add_findings(Section& section, const std::vector<Finding>& findings, const std::string& more,
                  const auto& line_of) {
  for (std::size_t i = 0; i < std::min(findings.size(), kShownKnown); ++i) {
    section.lines.push_back(line_of(findings[i]));
  }
  if (findings.size() > kShownKnown) {
    section.lines.push_back(
        {words(std::to_string(findings.size() - kShownKnown) + " more " + more)});
  }
}

}  // namespace

std::vector<Prose> alert_remarks(const TrendReport& report, const Finding& finding) {
  std::vector<Prose> remarks{place_phrase(report, finding)};
  if (finding.state != AlertState::none && !finding.alert_id.empty()) {
    remarks.push_back({dim("alert "), data(short_oid(finding.alert_id))});
  }
  if (finding.decision) {
    remarks.push_back(decision_remark(finding));
  }
  if (const std::string chance = chance_text(finding.false_alarms); !chance.empty()) {
    remarks.push_back({dim("false alarms as large: " + chance + " per 1,000 points")});
  }
  if (finding.step && !finding.step->facts.empty()) {
    remarks.push_back(facts_remark(*finding.step));
  }
  if (finding.step && contradicts_trace(finding.series->key, *finding.step)) {
    remarks.push_back({warn("trace alarm"),
                       ": the trace misses an input; do not trust 'same program' here (use "
                       "--measure all)"});
  } else if (finding.step && finding.step->same_program) {
    remarks.push_back(outside_remark(*finding.step));
  }
  if (!finding.confirmed_by.empty()) {
    remarks.push_back(
        {bad("confirmed"), " by the comparison ", data(short_oid(finding.confirmed_by))});
  } else if (!finding.confirm.empty()) {
    remarks.push_back({dim("to verify: "), command(finding.confirm)});
  }
  return remarks;
}

Section new_alert_section(const TrendDigest& trend) {
  Section section{
      .table = {.columns = {"new alert", "metric", right("before and after"), right("change")}}};
  const std::vector<Finding> fresh = in_state(trend.findings, AlertState::fresh);
  for (std::size_t i = 0; i < std::min(fresh.size(), kShownAlerts); ++i) {
    section.table.rows.push_back(alert_row(trend, fresh[i]));
  }
  if (fresh.size() > kShownAlerts) {
    section.lines.push_back({words(std::to_string(fresh.size() - kShownAlerts) +
                                   " more new alerts with less evidence (in full with --json or "
                                   "--markdown)")});
  }
  return section;
}

Section known_alert_section(const TrendDigest& trend) {
  Section section;
  add_findings(section, in_state(trend.findings, AlertState::reopened), "reopened alerts",
               [&](const Finding& finding) { return known_line(trend, finding, bad("reopened")); });
  add_findings(section, in_state(trend.findings, AlertState::known), "known alerts",
               [&](const Finding& finding) { return known_line(trend, finding, strong("known")); });
  for (const TrendSeries& series : trend.report.series) {
    for (const ClosedAlert& closed : series.closed) {
      section.lines.push_back(closed_line(series, closed, trend.names));
    }
  }
  add_findings(section, in_state(trend.findings, AlertState::refuted), "refuted alerts",
               [&](const Finding& finding) {
                 return finding_line(trend, finding,
                                     {strong("refuted"), ": a comparison found no regression of "});
               });
  if (const auto ignored = in_state(trend.findings, AlertState::ignored); !ignored.empty()) {
    section.lines.push_back(ignored_line(trend, ignored));
  }
  if (trend.counts.fresh + trend.counts.reopened + trend.counts.known > 0) {
    section.lines.push_back(how_to_decide());
  }
  return section;
}

}  // namespace perf::reporter
