#include <algorithm>
#include <string>
#include <vector>

#include "reporter/changed_rows.h"
#include "reporter/remarks.h"
#include "reporter/render.h"
#include "reporter/terminal/style.h"
#include "reporter/wording.h"

namespace perf {
namespace {

using namespace reporter;

/// "2 regressed, 5 unchanged", worst first.
Prose counts_line(const std::vector<Comparison>& cases) {
  Prose line;
  for (const Verdict verdict : kVerdicts) {
    int count = 0;
    for (const Comparison& one : cases) {
      count += one.verdict == verdict ? 1 : 0;
    }
    if (count > 0) {
      line.push_back(words(line.empty() ? "" : ", "));
      line.push_back(
          {tone_of(verdict), std::to_string(count) + " " + std::string(to_string(verdict))});
    }
  }
  return line.empty() ? Prose{words("no cases")} : line;
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
  Document document{Mood::good, {counts_line(cases)}, {}, {}};
  keep(document.sections, {.table = std::move(table)});
  return terminal_document(document, {color});
}

}  // namespace perf
