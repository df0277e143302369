#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reporter/document.h"
#include "schema/report.h"

namespace perf::reporter {

/// The comparisons a person should look at: judged ones that are not unchanged, and those with a
/// failing check; worst verdict first, but what improved before what is open, and within a verdict
/// the largest change for the worse first (of what improved, for the better).
std::vector<const Comparison*> changed_comparisons(const Report& report);

/// Those of them that are shown as rows: of the inconclusive ones the first 8. Whatever regressed,
/// failed or improved has its row; the rest goes to `left_out`.
std::vector<const Comparison*> shown_changes(const Report& report,
                                             std::vector<const Comparison*>* left_out = nullptr);

/// The table of what is shown, with remarks, and how many are not: `in_full` says where they are. A
/// remark that many rows share is said once, below the table, and so is what a build said that
/// failed; a warning that `SharedWarnings` has is left to `warning_lines`.
Section changed_section(const Report& report, const std::string& in_full = kInFullElsewhere);

/// Every comparison, in the report's own order.
Table full_table(const Report& report);

/// The cells of one row: workload, metric, base, head, change, pairs, verdict.
Row comparison_row(const Comparison& comparison);

/// The titles of those cells.
std::vector<Column> comparison_columns();

/// What a row is counted and filtered by: its verdict, or "not judged".
std::string state_of(const Comparison& comparison);

/// The same as a cell.
Prose verdict_cell(const Comparison& comparison);

/// A check of a workload.
struct WorkloadCheck {
  const std::string& workload;
  const CheckResult& check;
};

/// The checks of a report that are wanted, in its order. Every metric of a workload repeats its
/// checks: each is there once.
std::vector<WorkloadCheck> checks_of(const Report& report, bool (*is_wanted)(const CheckResult&));

/// One reason for everything that failed, as when head does not build, in a report whose verdict is
/// `failed`: the headline has it, so that no row need say it again.
struct CommonFailure {
  std::string reason;
  std::size_t rows = 0;
  std::vector<std::string> told;  ///< what a program said of it, where all rows have the same
};

std::optional<CommonFailure> common_failure(const Report& report);

/// "first step 41.2 ms, 2.3 times the steady 18 ms": what warming up is worth at head, where it is
/// much (half as long again, or a third shorter); else nothing.
Prose warmup_remark(const Comparison& comparison);

}  // namespace perf::reporter
