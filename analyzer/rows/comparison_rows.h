#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analyzer/samples/standing.h"
#include "schema/demand.h"
#include "schema/invocation.h"
#include "schema/policy.h"
#include "schema/report.h"
#include "schema/sample_set.h"

namespace perf {

/// The rows of one workload, sorted by workload and metric: at least one, so that nothing planned
/// disappears from a report. Works at any moment of a run.
///
/// A series under test shows its decision with the statistics of the pairs behind it. What the
/// workload's failure left undecided becomes one row `failed`; where base failed or never was,
/// head's rows are `new`; what only base has is `missing`. Before the first pair is complete there
/// is one row, `inconclusive`. Where both sides run the same program, its rows are `unchanged` by
/// exactly nothing, without a pair. Rows that are not judged carry the change over all pairs with
/// an interval at the plain level policy.alpha, and no verdict.
std::vector<Comparison> comparison_rows(const WorkloadStanding& workload, const Standing& standing,
                                        const Policy& policy);

/// A row for a workload of which there is nothing else to show.
Comparison bare_row(const std::string& workload, const Params& params, Verdict verdict,
                    const Policy& policy);

/// The row of a workload that only base's config has, and that was not run.
Comparison missing_row(const std::string& workload, const Policy& policy);

/// How the phases of a step changed over these pairs: for each phase the Hodges-Lehmann estimate of
/// the paired differences, and the medians of both sides over all timed steps. A step without the
/// phase spent no time in it. In the order of first appearance, head's steps first.
///
/// A phase has moved where its own signed-rank interval excludes 0, at `alpha` shared among the
/// phases: noise carries no change. Its share is its Hodges-Lehmann difference in seconds by that
/// of the step, given only where the step itself moved at `alpha`. Shares need not add up to 1:
/// time outside the phases has none.
std::vector<PhaseChange> phase_changes(std::span<const PairedSample> pairs, double alpha);

/// What the first step of a process costs at head against its steady state: medians over head's
/// invocations of the first step (a warm-up step, where there is one) and of the median of the
/// timed steps. Nothing for a series that is not of steps, or where no invocation has a second
/// step.
std::optional<WarmupBenefit> warmup_benefit(const MetricSamples& series);

/// Adds to the rows of a workload what was skipped beside other benchmarks of its command:
/// `missing` where no side has a value, with the reason. What base alone has becomes `failed` at
/// head, what head alone has stays `new`. One warning lists all that are missing, with the
/// filter that leaves them out where the format has one.
std::optional<Warning> add_skipped_rows(const WorkloadStanding& workload, const Policy& policy,
                                        std::vector<Comparison>& rows);

/// The results of control arms (base against base) or of audits (base against head of the same
/// program), judged as their workloads are, over all the pairs they have. In the plan's order.
std::vector<ControlResult> arm_results(const std::vector<WorkloadStanding>& beside);

/// Warns of each audit that would have been called changed, on its row and, the answer, of the
/// report.
std::vector<Warning> add_audit_warnings(const std::vector<ControlResult>& audits,
                                        std::vector<Comparison>& rows);

/// Adds to each row the warning of its control arm: "control_alarm" where base against itself would
/// have been called changed, else "control_shift" where its interval excludes zero.
void add_control_warnings(const std::vector<ControlResult>& controls,
                          std::vector<Comparison>& rows);

/// Where both sides fail a check intermittently, head's failures are news when chance makes so many
/// more of them of equally shaky sides with no more than this probability.
inline constexpr double kShakyCheckLevel = 0.01;

/// The checks of a series' blocks, by name: how many invocations of a side ran and failed each, and
/// passed where every one did. Traced invocations count too.
std::vector<CheckResult> check_results(const MetricSamples& series);
/// The same of both sides' runs.
std::vector<CheckResult> check_results(const ChecksOfRuns& base, const ChecksOfRuns& head);

/// "Faster but wrong", exit code 1: head fails a check, and base does not fail it in the same way.
/// By the counts: base never does (or did not run it); or head always does, and base in fewer than
/// half of its invocations; or head does clearly more often (Fisher's exact test, one-sided:
/// Fisher, "The logic of inductive inference", JRSS 98 (1935), 39-54). Without counts: what
/// `new_failure`, else that head failed it and base did not.
bool is_new_failure(const CheckResult& check);

/// Notes on checks that head fails and that pass or fail from run to run: "check NAME fails
/// in 12 of 12 at head, 2 of 12 at base".
std::vector<Warning> check_notes(const std::vector<CheckResult>& checks);

/// Puts the checks of a workload on its rows. They belong to a block, rows to its metrics: each
/// block's checks go on one row, step_time's if there is one. Needs a row. Where runs failed,
/// kRunsEndWell is a check, too: a new failure where head fails more often by Fisher's exact test,
/// one-sided, at `runs_level`.
void attach_checks(const WorkloadStanding& workload, double runs_level,
                   std::vector<Comparison>& rows);
/// Puts these on one of the rows, of that workload where there is one.
void attach_checks(const std::string& workload, std::vector<CheckResult> checks,
                   std::vector<Comparison>& rows);

/// Whether any comparison of a report has such a check.
bool has_new_check_failure(const Report& report);

/// Timed steps of an invocation that is counted, without a warm-up: the first may prepare what the
/// others use.
inline constexpr int kCountedSteps = 2;

/// A count that moved by less moved by nothing: the paths of two checkouts differ, if not in
/// length.
inline constexpr double kCountMoved = 0.0005;

/// What is still to be counted: of each workload that both sides run, so many invocations a side as
/// the policy requires. One that could not be counted, after being tried again, is given up.
std::vector<WorkloadDemand> wanted_counts(const Standing& standing);

/// Adds the row of what was counted to a workload's rows, or a warning why nothing was; nothing
/// where nothing was counted. A count that is the same in all invocations of a side, on both sides,
/// is compared exactly: it has no error, costs nothing of alpha, and its verdict is whether the
/// change reaches the metric's threshold. One that is not is shown with its spread, not judged;
/// where --metric names it, it is inconclusive.
void add_counted_row(const WorkloadStanding& workload, const Measurements& measurements,
                     const Policy& policy, std::vector<Comparison>& rows);

/// Adds a note to a workload's step_time row where instructions changed and the time did not, or
/// the reverse. Instructions that were measured by the processor serve as well as counted ones.
void relate_counts_to_time(std::vector<Comparison>& rows);

/// Counts of the judged comparisons by verdict, and the worst of them.
Summary summarize(const std::vector<Comparison>& rows);

/// Sorts the rows by workload, then metric: the order of a report.
void sort_rows(std::vector<Comparison>& rows);

/// The first row of a metric of a workload; null where there is none.
template <class Rows>
auto* find_row(const std::string& workload, const Metric& metric, Rows& rows) {
  const auto found = std::ranges::find_if(rows, [&](const Comparison& row) {
    return row.workload == workload && row.metric == metric;
  });
  return found == rows.end() ? nullptr : &*found;
}

/// The geometric mean row of every family (the part of a workload's name before the first `/`) and
/// metric with at least two judged workloads that have a change and an interval, sorted by family
/// and metric. Rows that compare two settings are left out: their changes are of different things,
/// and a workload that is varied would count once for each value. What runs the same program counts
/// with a change of exactly 0, where anything of its family was measured.
///
/// With e_i = ln(1 + change_i) and the ends l_i, h_i of row i's interval on the same scale, over k
/// rows: change = exp(mean e) - 1, interval = exp(mean e - sqrt(sum (e_i - l_i)^2) / k) - 1 to
/// exp(mean e + sqrt(sum (h_i - e_i)^2) / k) - 1. That takes the rows' errors as independent, as
/// their pairs are, and their intervals as of one level; it is shown, and nothing is judged by it.
std::vector<FamilyMean> family_means(const std::vector<Comparison>& rows);

/// Speed, size and quality of the workloads that report, at head, both metrics in bytes and metrics
/// of quality: numbers without a dimension ("1", "%") or in dB, such as errors, ratios of signal to
/// noise, perplexities. Medians over head's invocations; what the collector measured itself
/// (peak_rss) is no size of the result.
std::vector<TradeOff> trade_offs(const Standing& standing);

/// What a report is left with that judged something and decided nothing: inconclusive rows, none
/// regressed, improved, failed, or measured to be unchanged. Of one that has its summary; nothing
/// for any other.
std::optional<Undecided> undecided_of(const Standing& standing, const Report& report);

}  // namespace perf
