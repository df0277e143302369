#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "reporter/document.h"
#include "schema/report.h"

namespace perf::reporter {

// The parts of a report, as report_page.cpp puts them together.

/// The report in a few sentences, the most important first: the verdict with its worst case, and
/// whatever else decides the exit code (a wrong output, a missed target) or the trust in it
/// (interrupted, out of budget).
std::vector<Prose> headline(const Report& report);

/// Whether the headline has a sentence for a warning of the report.
bool is_in_headline(const Warning& warning);

/// Of a joined report: which shards did not come, or did not finish; empty where none.
Prose missing_shards(const Report& report);

/// The verdict's sentence of a report that has `undecided`: why nothing was decided, what is ruled
/// out, `others` (what is not inconclusive), and what to do.
Prose nothing_decided(const Report& report, const Prose& others);

/// "11 of 14 workloads run the same program on both sides", "every workload runs ...". Nothing
/// where none does.
Prose same_program_phrase(const Report& report);

/// "a, b, c and 4 more": the first workloads by their names.
Prose names_of(const std::vector<std::string>& workloads);

/// Workloads that were measured for one reason.
struct WhyMeasured {
  std::string because;
  std::vector<std::string> workloads{};
};

/// "changed input: bench.py:6"; "measured because: strace is not installed".
Prose reason_phrase(std::string because);

/// Why traced workloads were measured, in the order of the report.
std::vector<WhyMeasured> why_measured(const Report& report);

/// The same as a row each. `in_full` says where what is left out is.
Section why_measured_section(const Report& report, const std::string& in_full);

/// Bad where a regression, a failure, a wrong output or a missed target was found; unsettled where
/// something could not be decided.
Mood mood_of(const Report& report);

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

/// The cells of one row: workload (with `params`, what distinguishes it), metric, base, head,
/// change, pairs, verdict.
Row comparison_row(const Comparison& comparison, const std::string& params = {});

/// The titles of those cells.
std::vector<Column> comparison_columns();

/// Leaves out what would say nothing in this report: pairs where there are none, and of files the
/// metric where all are times.
void drop_idle_columns(const Report& report, Table& table);

/// What a row is counted and filtered by: its verdict, or "not judged".
std::string state_of(const Comparison& comparison);

/// The same as a cell.
Prose verdict_cell(const Comparison& comparison);

/// The change with its interval; "same program" where nothing was measured because of that.
std::string change_cell(const Comparison& comparison);

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
  std::vector<std::string> output;  ///< lines of a program, if they are the same in all rows
};

std::optional<CommonFailure> common_failure(const Report& report);

/// "first step 41.2 ms, 2.3 times the steady 18 ms": what warming up is worth at head, where it is
/// much (half as long again, or a third shorter); else nothing.
Prose warmup_remark(const Comparison& comparison);

/// What is counted rather than shown: what is unchanged, what is not judged, exact counts, control
/// arms, and what it took to measure. `in_full` is where the reader finds what is counted.
std::vector<Prose> count_lines(const Report& report, const std::string& in_full);

/// What exact counts of instructions say where no row of the table of changes says it: a line for
/// each count that moved by less than its threshold, with what its time did, and one for those that
/// are the same at base and head. Nothing where nothing was counted.
std::vector<Prose> exact_count_lines(const Report& report);

/// "control arms: 11 of 12 quiet; base against itself moved by 1.2 % at most; called changed:
/// parser step_time +12.1 % [+8.0, +16.2]". Nothing where no control arm ran.
Prose control_line(const Report& report);

/// The same of the audits: "audits: 2 of 2 quiet; the same program moved by 0.4 % at most".
Prose audit_line(const std::vector<ControlResult>& audits);

// The smaller tables of a report; each is empty where there is nothing of its kind.

/// A row per family and metric: "training/*", its metric, how many workloads, their geometric mean
/// with its interval. Of families that have two judged workloads.
Table family_table(const Report& report);

/// "not for isa avx2": where a target holds elsewhere only, by its `when`.
Prose elsewhere_phrase(const TargetResult& result);
/// "NAME is 1.80x, wanted at least 2x".
Prose target_phrase(const TargetResult& result, const Report& report);

/// A row per target: name, value at head, bound, status: met, missed, not measured. Values are in
/// the unit of the metric, as in a comparison of the same workload; ratios are written
/// "2.4x".
Table target_table(const Report& report);

/// A row per workload that reports sizes and quality: what a step takes, how large the result is
/// and how good, all at head.
Table trade_off_table(const Report& report);

/// "with backend=eigen, threads=1": what one side of a comparison of settings was run with, of the
/// parameters that differ. Where rows differ in it, only what all have in common; empty where no
/// settings are compared.
Prose settings_phrase(const Report& report, Side side);

/// The settings of a varied parameter, each against the first: workload, setting, metric, base,
/// head, change, verdict. Of judged metrics; no rows where nothing was varied.
Table variant_table(const Report& report);

/// Warnings that rows leave to `warning_lines`: of a kind that the report warns of as a whole, or
/// of one that many rows have.
class SharedWarnings {
 public:
  SharedWarnings() = default;  ///< none
  explicit SharedWarnings(const Report& report);

  bool has(const Comparison& comparison, const Warning& warning) const;
  bool is_of_the_report(const Warning& warning) const;

 private:
  std::set<WarningKind> of_the_report_;
  std::map<std::string, int> rows_;  ///< by what rows say alike
};

/// The notes and warnings of a row, except those that are shown once for many rows.
std::vector<Prose> own_words(const Comparison& comparison, const SharedWarnings& shared,
                             const std::optional<CommonFailure>& failure);

/// Warnings of the whole report, then those that the table of changes does not show: each
/// said once, with the workloads it is about. What the session or the machine did differs from row
/// to row in its figures only, so that several rows share its topic ("session drift (a, b, c)");
/// the full table has the figures. What the report warns of as a whole is not said again of its
/// rows.
std::vector<Prose> warning_lines(const Report& report);

using Facts = std::map<std::string, std::string>;

/// Which revision a side is: short oid, subject, the name asked for and the rule that led to it,
/// and where two settings are compared, which this side has.
Prose revision_line(const std::string& side, const Revision& revision, const Prose& settings = {});

/// Base and head, a line each.
std::vector<Prose> revision_lines(const Report& report);

/// The machine: processor, cores, memory, and as its workloads say, BLAS and threads. `same`: base
/// and head both ran on it.
Prose machine_line(const Environment& environment, bool same = false,
                   const std::map<std::string, Facts>& workload_facts = {});
Prose machine_line(const Report& report);

/// Adds a row to a table of facts and their values, unless there is no value.
void add_fact(Table& table, Prose fact, const std::string& value);
void add_facts(Table& table, const Facts& facts);

/// Every recorded fact of the machine, the image, the workloads and the policy: fact, value.
Table environment_table(const Report& report);

/// What there is to say about a changed row: the phases that carry it, its memory, how its pairs
/// went, how many more it would take.
std::vector<Prose> measured_remarks(const Comparison& comparison, const Report& report);

/// The same for an output that draws the pairs: without how they went.
std::vector<Prose> undrawn_remarks(const Comparison& comparison, const Report& report);

/// Its notes and warnings, as the analyzer worded them.
std::vector<Prose> worded_remarks(const Comparison& comparison);

/// A check that failed: which, where and by how much.
Prose check_remark(const CheckResult& check);

/// Of kRunsEndWell: "5 of 16 runs at head, 0 of 16 at base".
std::string failing_runs(const CheckResult& runs);

/// "warning: session drift: both sides moved by ...".
Prose warning_line(const Warning& warning);

/// "66.7 %": a share of the samples.
std::string share_text(double share);

/// The functions whose share of the time moved, the largest change first; empty where none is
/// known.
Prose functions_remark(const Comparison& comparison);

/// That where the code lies explains the change, or might; empty where nothing says so.
Prose layout_remark(const Comparison& comparison);

/// Takes out of the rows what many of them say alike, to be said once, with the number of rows.
std::vector<Prose> take_shared_remarks(std::vector<Row>& rows);

}  // namespace perf::reporter
