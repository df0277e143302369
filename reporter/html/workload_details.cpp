#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <set>
#include <vector>

#include "reporter/comparison/report_sections.h"
#include "reporter/html/document.h"
#include "reporter/svg/pictures.h"
#include "reporter/text/quantity.h"
#include "reporter/text/wording.h"

namespace perf::reporter::html {
namespace {

using Comparisons = std::vector<const Comparison*>;

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
  Row row{.cells = {{name(comparison.metric.name)}, {words(side)}}};
  const auto add = [&row](const std::string& text) { row.cells.push_back({number(text)}); };
  for (const double value : {stats.median, stats.p90, stats.mean}) {
    add(scaled(value, scale));
  }
  add(quantity(stats.stddev, comparison.metric.unit));  // much smaller than the rest
  add(scaled(stats.min, scale));
  add(scaled(stats.max, scale));
  add(share_of(stats.cov));
  add(std::to_string(stats.invocations));
  add(stats.steps > 0 ? std::to_string(stats.steps) : "-");
  return row;
}

/// How each was judged: change, threshold, p, look, pairs, and what it would take.
Table judgement_table(const Comparisons& comparisons) {
  Table table{{"metric", "change", right("threshold"), right("smallest visible"), right("p"),
               right("look"), right("pairs"), right("pairs needed"), "verdict"}};
  for (const Comparison* comparison : comparisons) {
    const Comparison& one = *comparison;
    table.rows.push_back(
        {{{name(one.metric.name)},
          {number(change_cell(one))},
          {number(one.judged ? percentage(one.threshold) : "-")},
          {number(one.smallest_visible ? rough_percentage(*one.smallest_visible) : "-")},
          {number(p_text(one.p_value))},
          {number(one.look > 0 ? std::to_string(one.look) : "-")},
          {number(one.pairs > 0 ? std::to_string(one.pairs) : "-")},
          {number(one.pairs_needed ? rough_count(*one.pairs_needed) : "-")},
          verdict_cell(one)}});
  }
  return table;
}

/// Both sides of each: median, p90, mean, standard deviation, extremes, variation, how many.
Table statistics_table(const Comparisons& comparisons) {
  Table table{{"metric", "side"}};
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

/// The phases of a step, and which of them moved.
Table phase_table(const Comparisons& comparisons) {
  Table table{{"phase", right("base"), right("head"), "change", right("share of the change"),
               "beyond chance"}};
  for (const Comparison* comparison : comparisons) {
    for (const PhaseChange& phase : comparison->phases) {
      const Scale scale = scale_for(phase.base, phase.head, kStepTime.unit);
      table.rows.push_back(
          {{{name(phase.name)},
            {number(scaled(phase.base, scale))},
            {number(scaled(phase.head, scale))},
            {number(change_text(phase.change, phase.interval))},
            {number(phase.share ? percentage(std::round(*phase.share * 100) / 100) : "-")},
            {phase.moved ? strong("yes") : dim("no")}}});
    }
  }
  return table;
}

/// The workload's checks; every metric repeats them, so each is shown once.
Table check_table(const Comparisons& comparisons) {
  Table table{{"check", "base", "head", right("error"), right("tolerance")}};
  std::set<std::string> shown;
  for (const Comparison* comparison : comparisons) {
    for (const CheckResult& check : comparison->checks) {
      if (!shown.insert(check.name).second) {
        continue;
      }
      const std::string head = passed(check.head, check.head_failed, check.head_runs);
      table.rows.push_back({{{name(check.name)},
                             {words(passed(check.base, check.base_failed, check.base_runs))},
                             {check.head == false ? bad(head) : words(head)},
                             {number(small(check.error))},
                             {number(small(check.tolerance))}}});
    }
  }
  return table;
}

std::string pictures(const WorkloadGroup& group) {
  std::string html;
  if (group.measured != nullptr) {
    html += svg::step_picture(*group.measured);
  }
  for (const Comparison* comparison : group.comparisons) {
    html += svg::pair_picture(*comparison);
  }
  if (group.measured != nullptr) {
    html += svg::memory_picture(*group.measured);
    for (const Comparison* comparison : group.comparisons) {
      if (svg::is_another(comparison->metric)) {
        html += svg::process_picture(*group.measured, comparison->metric);
      }
    }
  }
  return html.empty() ? html : element("div", {{"class", "pictures"}}, html) + "\n";
}

std::string titled(const std::string& title, const Table& table) {
  if (table.rows.empty()) {
    return {};
  }
  return text_element("h3", {}, title) + "\n" + html_table(table);
}

std::vector<Prose> remarks(const WorkloadGroup& group, const Report& report) {
  std::vector<Prose> lines;
  if (const std::string& reason = group.comparisons.front()->measured_because; !reason.empty()) {
    lines.push_back(reason_phrase(reason));
  }
  for (const Comparison* comparison : group.comparisons) {
    std::vector<Prose> of_one = undrawn_remarks(*comparison, report);
    append(of_one, worded_remarks(*comparison));
    keep(of_one, warmup_remark(*comparison));
    for (const Prose& remark : of_one) {
      lines.push_back(joined(name(comparison->metric.name), ": ", remark));
    }
  }
  return lines;
}

/// "training/lm layers=4  step_time +8.1 %  peak_rss unchanged".
std::string summary(const WorkloadGroup& group) {
  Prose prose{name(group.workload())};
  if (!group.params().empty()) {
    append(prose, " ", Span{Tone::dim, params_text(group.params())});
  }
  std::string html = html_prose(prose);
  for (const Comparison* comparison : group.comparisons) {
    if (!verdict_of(*comparison)) {
      continue;
    }
    Prose outcome = joined(name(comparison->metric.name), " ", verdict_cell(*comparison));
    if (comparison->change) {
      append(outcome, " ", number(change_text(comparison->change)));
    }
    html += " " + element("span", {{"class", "outcome"}}, html_prose(outcome));
  }
  return element("summary", {}, html);
}

}  // namespace

std::string workload_details(const WorkloadGroup& group, const Report& report, bool is_open) {
  const Comparisons& rows = group.comparisons;
  // The id is within, because a browser opens what is folded around the target of a link.
  const std::string content = pictures(group) + lines_html(remarks(group, report)) +
                              titled("How it was judged", judgement_table(rows)) +
                              titled("Both sides", statistics_table(rows)) +
                              titled("Phases of a step", phase_table(rows)) +
                              titled("Checks", check_table(rows));
  Attributes attributes{{"class", "workload"}};
  if (is_open) {
    attributes.emplace_back("open", "");
  }
  return element("details", attributes,
                 summary(group) + "\n" + element("div", {{"id", group.id}}, content)) +
         "\n";
}

}  // namespace perf::reporter::html
