#include "reporter/changed_rows.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "reporter/change.h"
#include "reporter/quantity.h"
#include "reporter/remarks.h"
#include "reporter/warmup_remark.h"
#include "reporter/wording.h"

namespace perf::reporter {
namespace {

constexpr int kSharedBy = 3;  ///< rows from which a common remark is said once for all
constexpr int kSaid = -1;     ///< in place of the number of rows

bool has_failing_check(const Comparison& comparison) {
  return std::any_of(comparison.checks.begin(), comparison.checks.end(), fails);
}

Prose verdict_cell(const Comparison& comparison) {
  if (!comparison.judged || !comparison.verdict) {
    return {dim("not judged")};
  }
  const Verdict verdict = *comparison.verdict;
  return {{tone_of(verdict), std::string(to_string(verdict))}};
}

std::string change_cell(const Comparison& comparison) {
  if (comparison.change) {
    return change_text(*comparison.change, comparison.interval);
  }
  return comparison.verdict == Verdict::regressed ? "from zero" : "-";
}

std::string plain_text(const Prose& prose) {
  std::string text;
  for (const Span& span : prose) {
    text += span.text;
  }
  return text;
}

/// Takes out of the rows what many of them say alike, to be said once, with the number of rows.
std::vector<Prose> take_shared_remarks(std::vector<Row>& rows) {
  std::map<std::string, int> counts;
  for (const Row& row : rows) {
    for (const Prose& remark : row.remarks) {
      ++counts[plain_text(remark)];
    }
  }
  std::vector<Prose> lines;
  for (Row& row : rows) {
    std::vector<Prose> own;
    for (Prose& remark : row.remarks) {
      int& count = counts[plain_text(remark)];
      if (count >= kSharedBy) {
        lines.push_back({words(std::to_string(count) + " rows: ")});
        append(lines.back(), remark);
        count = kSaid;
      } else if (count != kSaid) {
        own.push_back(std::move(remark));
      }
    }
    row.remarks = std::move(own);
  }
  return lines;
}

/// Everything failed for one reason, which the headline has told.
bool said_in_headline(const Report& report) {
  const std::vector<const Comparison*> rows = changed_comparisons(report);
  return std::all_of(rows.begin(), rows.end(), [&rows](const Comparison* row) {
    return row->verdict == Verdict::failed && row->notes.size() + row->warnings.size() == 1 &&
           reason_of(*row) == reason_of(*rows.front());
  });
}

/// Severity for sorting; rows that are here only for a failing check come last.
int severity(const Comparison& comparison) {
  return static_cast<int>(comparison.judged && comparison.verdict ? *comparison.verdict
                                                                  : Verdict::unchanged);
}

}  // namespace

std::vector<Column> comparison_columns() {
  return {{"workload"},
          {"metric"},
          {"base", Align::right},
          {"head", Align::right},
          {"change"},
          {"pairs", Align::right},
          {"verdict"}};
}

Row comparison_row(const Comparison& comparison) {
  const std::string& unit = comparison.metric.unit;
  const double base = comparison.base   ? comparison.base->median
                      : comparison.head ? comparison.head->median
                                        : 0;
  const double head = comparison.head ? comparison.head->median : base;
  const Scale scale = scale_for(base, head, unit);
  Row row;
  row.cells = {{name(comparison.workload)},
               {name(comparison.metric.name)},
               {number(comparison.base ? scaled(base, scale) : "-")},
               {number(comparison.head ? scaled(head, scale) : "-")},
               {number(change_cell(comparison))},
               {number(comparison.pairs > 0 ? std::to_string(comparison.pairs) : "-")},
               verdict_cell(comparison)};
  row.subject = {name(comparison.workload), words(" "), name(comparison.metric.name)};
  return row;
}

std::vector<const Comparison*> changed_comparisons(const Report& report) {
  std::vector<const Comparison*> rows;
  std::set<std::string> shown_for_checks;
  for (const Comparison& comparison : report.comparisons) {
    const bool changed =
        comparison.judged && comparison.verdict && *comparison.verdict != Verdict::unchanged;
    // Every metric of a workload repeats its checks: one row shows them.
    const bool first_failing =
        has_failing_check(comparison) && shown_for_checks.insert(comparison.workload).second;
    if (changed || first_failing) {
      rows.push_back(&comparison);
    }
  }
  std::stable_sort(rows.begin(), rows.end(), [](const Comparison* a, const Comparison* b) {
    if (severity(*a) != severity(*b)) {
      return severity(*a) < severity(*b);
    }
    const double sign = a->verdict == Verdict::improved ? -1 : 1;
    return sign * badness(*a) > sign * badness(*b);
  });
  return rows;
}

Section changed_section(const Report& report) {
  Section section;
  section.table.columns = comparison_columns();
  std::set<std::string> checked;
  for (const Comparison* comparison : changed_comparisons(report)) {
    Row row = comparison_row(*comparison);
    row.remarks = measured_remarks(*comparison, report);
    if (checked.insert(comparison->workload).second) {
      for (const CheckResult& check : comparison->checks) {
        if (fails(check)) {
          row.remarks.push_back(check_remark(check));
        }
      }
    }
    for (Prose& remark : worded_remarks(*comparison)) {
      row.remarks.push_back(std::move(remark));
    }
    section.table.rows.push_back(std::move(row));
  }
  section.lines = take_shared_remarks(section.table.rows);
  if (said_in_headline(report)) {
    section.lines.clear();
  }
  return section;
}

Table full_table(const Report& report) {
  Table table{comparison_columns(), {}};
  table.columns.insert(table.columns.end() - 1, {"smallest visible", Align::right});
  for (const Comparison& comparison : report.comparisons) {
    Row row = comparison_row(comparison);
    const std::string seen =
        comparison.smallest_visible ? rough_percentage(*comparison.smallest_visible) : "-";
    row.cells.insert(row.cells.end() - 1, Prose{number(seen)});
    row.remarks = worded_remarks(comparison);
    Prose warmup = warmup_remark(comparison);
    if (!warmup.empty()) {
      row.remarks.push_back(std::move(warmup));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace perf::reporter
