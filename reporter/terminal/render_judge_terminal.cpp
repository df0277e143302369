#include <algorithm>
#include <string>
#include <vector>

#include "reporter/remarks.h"
#include "reporter/render.h"
#include "reporter/report_sections.h"
#include "reporter/wording.h"

namespace perf {
namespace {

using namespace reporter;

/// "2 regressed, 5 unchanged", worst first.
Prose counts_line(const std::vector<Comparison>& cases) {
  Prose line;
  for (const Verdict verdict : kVerdicts) {
    if (const auto count = std::ranges::count(cases, verdict, &Comparison::verdict); count > 0) {
      line.push_back(words(line.empty() ? "" : ", "));
      line.push_back(
          {tone_of(verdict), std::to_string(count) + " " + std::string(to_string(verdict))});
    }
  }
  return line.empty() ? Prose{"no cases"} : line;
}

}  // namespace

std::string render_judge_terminal(const std::vector<Comparison>& cases, bool color) {
  Table table{comparison_columns(), {}};
  table.columns[0].title = "case";
  const bool one_metric = std::ranges::all_of(
      cases, [](const Comparison& one) { return one.metric.name == kStepTime.name; });
  if (one_metric) {
    table.columns.erase(table.columns.begin() + 1);
  }
  for (const Comparison& one : cases) {
    Row row = comparison_row(one);
    if (one_metric) {
      row.cells.erase(row.cells.begin() + 1);
    }
    row.remarks = measured_remarks(one, {});
    append(row.remarks, worded_remarks(one));
    table.rows.push_back(std::move(row));
  }
  Document document{Mood::good, {counts_line(cases)}};
  keep(document.sections, {.table = std::move(table)});
  return render_terminal(document, color);
}

}  // namespace perf
