#include "reporter/html/detail_tables.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "reporter/change.h"
#include "reporter/html/workload_group.h"
#include "reporter/quantity.h"
#include "reporter/wording.h"

namespace perf::reporter::html {
namespace {

constexpr int kSmallDecimals = 2;
constexpr double kLeastShown = 1e-4;  ///< a smaller p says no more

std::string small(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? fmt::format("{:.2g}", *value) : "-";
}

std::string share_of(std::optional<double> share) {
  return share && std::isfinite(*share) ? fixed(*share * 100, kSmallDecimals) + " %" : "-";
}

std::string p_text(std::optional<double> p) {
  if (!p || !std::isfinite(*p)) {
    return "-";
  }
  return *p < kLeastShown ? "< 0.0001" : fixed(*p, 4);
}

Prose verdict_prose(const Comparison& comparison) {
  const std::string state = state_of(comparison);
  return comparison.judged && comparison.verdict ? Prose{{tone_of(*comparison.verdict), state}}
                                                 : Prose{dim(state)};
}

std::string change_of(const std::optional<double>& change,
                      const std::optional<Interval>& interval) {
  return change_text(change, interval);
}

std::string passed(const std::optional<bool>& outcome, int failed, int runs) {
  if (!outcome) {
    return "-";
  }
  std::string text = *outcome ? "passed" : "failed";
  if (failed > 0 && runs > 0) {
    text += " in " + std::to_string(failed) + " of " + std::to_string(runs);
  }
  return text;
}

Row side_row(const Comparison& comparison, const std::string& side, const SideStats& stats) {
  const Scale scale = scale_for(stats.median, stats.median, comparison.metric.unit);
  Row row;
  row.cells = {{name(comparison.metric.name)}, {words(side)}};
  const auto add = [&row](const std::string& text) { row.cells.push_back({number(text)}); };
  for (const double value : {stats.median, stats.p90, stats.mean}) {
    add(scaled(value, scale));
  }
  add(quantity(stats.stddev, comparison.metric.unit));  // much smaller than the rest
  add(scaled(stats.min, scale));
  add(scaled(stats.max, scale));
  row.cells.push_back({number(share_of(stats.cov))});
  row.cells.push_back({number(std::to_string(stats.invocations))});
  row.cells.push_back({number(stats.steps > 0 ? std::to_string(stats.steps) : "-")});
  return row;
}

}  // namespace

Table judgement_table(const Comparisons& comparisons) {
  Table table{{"metric", "change", right("threshold"), right("smallest visible"), right("p"),
               right("look"), right("pairs"), right("pairs it would take"), "verdict"},
              {}};
  for (const Comparison* comparison : comparisons) {
    const Comparison& one = *comparison;
    table.rows.push_back(
        {{{name(one.metric.name)},
          {number(change_of(one.change, one.interval))},
          {number(one.judged ? percentage(one.threshold) : "-")},
          {number(one.smallest_visible ? rough_percentage(*one.smallest_visible) : "-")},
          {number(p_text(one.p_value))},
          {number(one.look > 0 ? std::to_string(one.look) : "-")},
          {number(one.pairs > 0 ? std::to_string(one.pairs) : "-")},
          {number(one.pairs_needed ? rough_count(*one.pairs_needed) : "-")},
          verdict_prose(one)}});
  }
  return table;
}

Table statistics_table(const Comparisons& comparisons) {
  Table table{{"metric", "side"}, {}};
  for (const char* title :
       {"median", "p90", "mean", "std. dev.", "min", "max", "variation", "processes", "steps"}) {
    table.columns.push_back(right(title));
  }
  for (const Comparison* comparison : comparisons) {
    if (comparison->base) {
      table.rows.push_back(side_row(*comparison, "base", *comparison->base));
    }
    if (comparison->head) {
      table.rows.push_back(side_row(*comparison, "head", *comparison->head));
    }
  }
  return table;
}

Table phase_table(const Comparisons& comparisons) {
  Table table{{"phase", right("base"), right("head"), "change", right("share of the change"),
               "beyond chance"},
              {}};
  for (const Comparison* comparison : comparisons) {
    for (const PhaseChange& phase : comparison->phases) {
      const Scale scale = scale_for(phase.base, phase.head, kStepTime.unit);
      table.rows.push_back(
          {{{name(phase.name)},
            {number(scaled(phase.base, scale))},
            {number(scaled(phase.head, scale))},
            {number(change_of(phase.change, phase.interval))},
            {number(phase.share ? percentage(std::round(*phase.share * 100) / 100) : "-")},
            {phase.moved ? strong("yes") : dim("no")}}});
    }
  }
  return table;
}

Table check_table(const Comparisons& comparisons) {
  Table table{{"check", "base", "head", right("error"), right("tolerance")}, {}};
  std::set<std::string> told;
  for (const Comparison* comparison : comparisons) {
    for (const CheckResult& check : comparison->checks) {
      if (!told.insert(check.name).second) {
        continue;
      }
      const std::string head = passed(check.head, check.head_failed, check.head_runs);
      table.rows.push_back({{{name(check.name)},
                             {words(passed(check.base, check.base_failed, check.base_runs))},
                             {check.head == false ? Span{Tone::bad, head} : words(head)},
                             {number(small(check.error))},
                             {number(small(check.tolerance))}}});
    }
  }
  return table;
}

}  // namespace perf::reporter::html
