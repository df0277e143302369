#include "reporter/trend/trend_layout.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "reporter/change.h"
#include "reporter/commit_phrase.h"
#include "reporter/headline.h"
#include "reporter/measured_where.h"
#include "reporter/quantity.h"
#include "reporter/trend/alert_sections.h"
#include "reporter/trend/findings.h"
#include "reporter/trend/lesser_findings.h"
#include "reporter/trend/machine_event_lines.h"
#include "reporter/trend/series_names.h"
#include "reporter/trend/trend_headline.h"
#include "reporter/trend/trend_tables.h"
#include "reporter/wording.h"

namespace perf::reporter {
namespace {

void keep(Document& document, Section section) {
  if (!section.table.rows.empty() || !section.lines.empty() || !section.commands.empty()) {
    document.sections.push_back(std::move(section));
  }
}

/// "0.06": two significant digits at most, never in scientific notation.
std::string rate_text(double rate) {
  if (!std::isfinite(rate) || rate <= 0) {
    return "0";
  }
  const int digits = static_cast<int>(std::floor(std::log10(rate)));
  std::string text = fixed(rate, std::max(0, 1 - digits));
  while (text.find('.') != std::string::npos && (text.back() == '0' || text.back() == '.')) {
    text.pop_back();
  }
  return text;
}

/// "200,000".
std::string grouped(std::uint64_t count) {
  std::string text = std::to_string(count);
  for (std::size_t at = text.size(); at > 3; at -= 3) {
    text.insert(at - 3, 1, ',');
  }
  return text;
}

/// "0.4 per 1,000 points when looked at every night (8 in 20,000)"; "none when looked at every
/// night (20,000 points)".
std::string replayed_phrase(double rate, std::uint64_t alarms, std::uint64_t points,
                            const std::string& how) {
  if (alarms == 0) {
    return "none " + how + " (" + grouped(points) + " points)";
  }
  return rate_text(rate) + " per 1,000 points " + how + " (" + grouped(alarms) + " in " +
         grouped(points) + ")";
}

/// "false alarms on this noise where nothing changes, replayed: 0.4 per 1,000 points when looked at
/// every night (8 in 20,000), 0.06 per 1,000 points in one search of it all (12 in 200,000); 0.1 to
/// expect in this report".
Prose false_alarm_line(const FalseAlarmRate& rate) {
  if (rate.points == 0) {
    return {dim("too few points to measure how often this noise raises a false alarm")};
  }
  const std::string nightly = replayed_phrase(rate.per_1000_points_nightly, rate.nightly_alarms,
                                              rate.nightly_points, "when looked at every night");
  const std::string once =
      replayed_phrase(rate.per_1000_points, rate.alarms, rate.points, "in one search of it all");
  const std::string expected =
      rate.alarms > 0 ? "; " + rate_text(rate.expected) + " to expect in this report" : "";
  return {dim("false alarms on this noise where nothing changes, replayed: " + nightly + ", " +
              once + expected)};
}

/// "312 of 5,000 commits measured up to 3f2a9c01d2e4 Use a map (Ada, 2026-01-31), size ci".
Prose where_line(const TrendReport& report, const TrendCounts& counts) {
  Prose line{words(grouped(report.measured) + " of " + grouped(report.line) +
                   (report.line == 1 ? " commit" : " commits") + " measured up to ")};
  append(line, commit_phrase(report.head));
  line.push_back(words(", size "));
  line.push_back(data(report.size));
  line.push_back(dim("; " + counted(report.series.size(), "series", "series") + ", " +
                     grouped(counts.points) + (counts.points == 1 ? " point" : " points")));
  return line;
}

Prose machine_line(const TrendReport& report) {
  if (report.environments.size() == 1) {
    return environment_line(report.environments.front());
  }
  return {words(counted(report.environments.size(), "machine", "machines") +
                ", each with series of its own")};
}

Section count_section(const TrendReport& report, const TrendCounts& counts) {
  Section section;
  section.lines = {where_line(report, counts)};
  if (!report.environments.empty()) {
    section.lines.push_back(machine_line(report));
  }
  if (!report.series.empty()) {
    section.lines.push_back(false_alarm_line(report.false_alarms));
  }
  for (const Warning& warning : report.warnings) {
    section.lines.push_back({{Tone::warn, "warning"}, words(": "), data(warning.text)});
  }
  return section;
}

/// The headline of each comparison that was run to make sure.
Section confirmation_section(const TrendReport& report) {
  Section section;
  for (const Report& comparison : report.confirmations) {
    Prose line{strong("compared"), words(" ")};
    line.push_back(data(comparison.base ? comparison.base->oid.substr(0, kShortOid) : "-"));
    line.push_back(words(" with "));
    line.push_back(data(comparison.head.oid.substr(0, kShortOid)));
    line.push_back(words(": "));
    append(line, headline(comparison).front());
    section.lines.push_back(std::move(line));
  }
  return section;
}

Section folded(const std::string& title, Table table) {
  Section section;
  section.title = title;
  section.folded = true;
  section.first_to_cut = true;
  section.table = std::move(table);
  return section;
}

Document laid_out(const TrendReport& report, bool drawn) {
  const std::vector<Finding> findings = findings_of(report);
  const TrendCounts counts = counts_of(report);
  const SeriesNames names(report);
  Document document;
  document.mood = trend_mood(report, counts);
  document.headline = trend_headline(report, findings, names);
  Section alerts = new_alert_section(report, findings, names);
  if (drawn) {
    alerts.table = {};
  }
  keep(document, std::move(alerts));
  keep(document, confirmation_section(report));
  Section events;
  events.lines = machine_event_lines(report, findings, names);
  keep(document, std::move(events));
  keep(document, known_alert_section(report, findings, names));
  Section lesser;
  lesser.lines =
      lesser_finding_lines(report, findings, names, drawn ? kInFullBelow : kInFullElsewhere);
  keep(document, std::move(lesser));
  keep(document, count_section(report, counts));
  keep(document, folded("All findings", finding_table(report, findings, names)));
  if (!drawn) {
    keep(document, folded("All series", series_table(report, names)));
  }
  Section environment = folded("Machines, baselines and policy", trend_environment_table(report));
  environment.first_to_cut = false;
  keep(document, std::move(environment));
  Section again;
  again.title = "How to reproduce";
  again.folded = true;
  again.commands = report.reproduce;
  keep(document, std::move(again));
  return document;
}

}  // namespace

Document lay_out(const TrendReport& report) {
  return laid_out(report, false);
}

Document lay_out_around_pictures(const TrendReport& report) {
  return laid_out(report, true);
}

}  // namespace perf::reporter
