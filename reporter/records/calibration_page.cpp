#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "reporter/comparison/report_sections.h"
#include "reporter/pages.h"
#include "reporter/text/quantity.h"
#include "reporter/text/wording.h"

namespace perf::reporter {
namespace {

bool is_alarm(const CalibratedMetric& series) {
  return is_change(series.verdict);
}

std::string share(const std::optional<double>& value) {
  return value ? percentage(*value) : "-";
}

/// "3.1 %" of a difference of logarithms.
std::string spread(double difference) {
  return rough_percentage(std::expm1(difference));
}

std::vector<Prose> calibration_headline(const Calibration& calibration) {
  const std::size_t all = calibration.series.size();
  if (all == 0) {
    return {{warn("Not calibrated"), ": nothing could be measured"}};
  }
  const auto alarms = std::ranges::count_if(calibration.series, is_alarm);
  const std::string of_all = counted(all, "comparison") + " of identical code";
  if (alarms == 0) {
    return {{good("Calibrated"), words(": none of " + of_all + " was called changed")}};
  }
  return {{bad("False alarms"), words(": " + std::to_string(alarms) + " of " + of_all +
                                      (alarms == 1 ? " was" : " were") + " called changed")}};
}

std::vector<Prose> where_lines(const Calibration& calibration) {
  Prose when{dim("size "), data(calibration.size),
             dim("; " + elapsed(calibration.measured) + " of measuring")};
  if (!calibration.generated_at.empty()) {
    append(when, dim(", ended "), data(calibration.generated_at));
  }
  return {revision_line("head", calibration.revision), machine_line(calibration.environment), when};
}

/// Only the first look and the last: the others lie between.
bool is_shown(const VisibleAtLook& at, const CalibratedMetric& series) {
  return &at == &series.visible.front() || &at == &series.visible.back();
}

std::vector<Column> noise_columns(const CalibratedMetric& first) {
  std::vector<Column> columns{"workload", "metric", right("spread"), right("worst")};
  for (const VisibleAtLook& at : first.visible) {
    if (is_shown(at, first)) {
      columns.push_back(right("at " + std::to_string(at.pairs)));
    }
  }
  columns.push_back(right("proves"));
  columns.push_back("called");
  return columns;
}

Row noise_row(const CalibratedMetric& series) {
  Row row{.cells = {{name(series.workload)},
                    {name(series.metric.name)},
                    {number(spread(series.robust_sd))},
                    {number(spread(series.worst))}}};
  for (const VisibleAtLook& at : series.visible) {
    if (is_shown(at, series)) {
      row.cells.push_back({number(rough_percentage(at.change))});
    }
  }
  row.cells.push_back(
      {number(series.smallest_threshold ? rough_percentage(*series.smallest_threshold) : "-")});
  row.cells.push_back(
      series.verdict ? Prose{{tone_of(*series.verdict), std::string(to_string(*series.verdict))}}
                     : Prose{"-"});
  return row;
}

/// "16 pairs", "12 to 16 pairs".
std::string pairs_text(const Calibration& calibration) {
  const auto [fewest, most] = std::ranges::minmax(calibration.series, {}, &CalibratedMetric::pairs);
  const std::string all = counted(most.pairs, "pair");
  return fewest.pairs == most.pairs ? all : std::to_string(fewest.pairs) + " to " + all;
}

Section noise_section(const Calibration& calibration) {
  if (calibration.series.empty()) {
    return {};
  }
  Section section;
  section.table.columns = noise_columns(calibration.series.front());
  for (const CalibratedMetric& series : calibration.series) {
    Row row = noise_row(series);
    row.cells.resize(section.table.columns.size(), Prose{"-"});
    section.table.rows.push_back(std::move(row));
  }
  section.lines.push_back(
      {dim("of " + pairs_text(calibration) +
           " each; spread, worst: how far the two sides of a pair of identical processes lie "
           "apart, typically and at most; at N: the smallest change visible after N pairs; proves: "
           "the threshold at which identical code is proven unchanged in 95 % of comparisons")});
  return section;
}

/// "98 %, 31 s": the share cut, not rounded, so that 100 % are all.
Prose verdict_cell(const CalibratedThreshold& at) {
  constexpr double kRounding = 1e-9;
  constexpr double kFewSeconds = 10;
  return {number(fixed(std::floor(100 * at.unchanged + kRounding), 0) + " %"), ", ",
          number(fixed(at.seconds, at.seconds < kFewSeconds ? 1 : 0) + " s")};
}

Section verdict_section(const Calibration& calibration) {
  if (calibration.reports.empty()) {
    return {};
  }
  Section section{.table = {.columns = {"identical code unchanged", "metric"}}};
  for (const CalibratedThreshold& at : calibration.reports) {
    section.table.columns.push_back(right("at " + percentage(at.threshold)));
  }
  for (const CalibratedMetric& series : calibration.series) {
    Row row{.cells = {{name(series.workload)}, {name(series.metric.name)}}};
    for (const CalibratedThreshold& at : series.thresholds) {
      row.cells.push_back(verdict_cell(at));
    }
    row.cells.resize(section.table.columns.size(), Prose{"-"});
    section.table.rows.push_back(std::move(row));
  }
  return section;
}

Section report_section(const Calibration& calibration) {
  Section section{
      .table = {.columns = {"a whole report at", right("all unchanged"), right("false alarms"),
                            right("measuring"), right("one run each"), right("five, then five")}}};
  for (const CalibratedThreshold& at : calibration.reports) {
    section.table.rows.push_back({.cells = {{number(percentage(at.threshold))},
                                            {number(percentage(at.unchanged))},
                                            {number(percentage(at.false_alarms))},
                                            {number(elapsed(at.seconds))},
                                            {number(share(at.one_run_alarms))},
                                            {number(share(at.five_runs_alarms))}}});
  }
  if (!section.table.rows.empty()) {
    section.lines.push_back(
        {dim("of " + std::to_string(calibration.replays) + " replays of the rule on this noise, " +
             counted(calibration.judged, "verdict") + " a report, error rate " +
             percentage(calibration.alpha) +
             "; the last two columns: how often a tool that compares one run of each side, or the "
             "means of five runs of one and then five of the other, would have raised a false "
             "alarm")});
  }
  return section;
}

Section warning_section(const Calibration& calibration) {
  Section section;
  if (calibration.interrupted) {
    section.lines.push_back({warn("interrupted"), ": results so far"});
  }
  for (const Warning& warning : calibration.warnings) {
    section.lines.push_back(warning_line(warning));
  }
  return section;
}

Section environment_section(const Calibration& calibration) {
  Table table{{"fact", "value"}};
  add_fact(table, {"fingerprint"}, calibration.environment.fingerprint);
  add_facts(table, calibration.environment.machine);
  add_facts(table, calibration.environment.facts);
  add_fact(table, {"perf-compare"}, calibration.tool_version);
  add_fact(table, {"run"}, calibration.id);
  add_fact(table, {"seed"}, std::to_string(calibration.seed));
  return {.title = "Environment", .folded = true, .table = std::move(table)};
}

}  // namespace

Document page_of(const Calibration& calibration) {
  Document document;
  const bool alarmed = std::ranges::any_of(calibration.series, is_alarm);
  document.mood = calibration.series.empty() ? Mood::unsettled : alarmed ? Mood::bad : Mood::good;
  document.headline = calibration_headline(calibration);
  for (const Section& section :
       {Section{.lines = where_lines(calibration)}, noise_section(calibration),
        verdict_section(calibration), report_section(calibration), warning_section(calibration),
        environment_section(calibration)}) {
    keep(document.sections, section);
  }
  return document;
}

}  // namespace perf::reporter
