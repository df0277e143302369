#include "reporter/html/workload_details.h"

#include <utility>
#include <vector>

#include "reporter/change.h"
#include "reporter/html/detail_tables.h"
#include "reporter/html/document.h"
#include "reporter/html/element.h"
#include "reporter/html/prose.h"
#include "reporter/remarks.h"
#include "reporter/svg/memory_picture.h"
#include "reporter/svg/pair_picture.h"
#include "reporter/svg/process_picture.h"
#include "reporter/svg/step_picture.h"
#include "reporter/warmup_remark.h"
#include "reporter/wording.h"

namespace perf::reporter::html {
namespace {

/// The metrics that neither the steps nor the memory show.
bool is_another(const Metric& metric) {
  return !(metric == kStepTime) && !(metric == kPeakRss);
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
      if (is_another(comparison->metric)) {
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
  for (const Comparison* comparison : group.comparisons) {
    std::vector<Prose> of_one = undrawn_remarks(*comparison, report);
    append(of_one, worded_remarks(*comparison));
    of_one.push_back(warmup_remark(*comparison));
    for (const Prose& remark : of_one) {
      if (!remark.empty()) {
        lines.push_back({name(comparison->metric.name), words(": ")});
        append(lines.back(), remark);
      }
    }
  }
  return lines;
}

/// "training/lm layers=4  step_time +8.1 %  peak_rss unchanged".
std::string summary(const WorkloadGroup& group) {
  Prose prose{name(group.workload())};
  if (!group.params().empty()) {
    append(prose, words(" "), Span{Tone::dim, params_text(group.params())});
  }
  std::string html = html_prose(prose);
  for (const Comparison* comparison : group.comparisons) {
    if (!comparison->judged || !comparison->verdict) {
      continue;
    }
    Prose outcome{name(comparison->metric.name),
                  words(" "),
                  {tone_of(*comparison->verdict), state_of(*comparison)}};
    if (comparison->change) {
      append(outcome, words(" "), number(change_text(comparison->change)));
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
