#pragma once

#include <optional>
#include <span>
#include <vector>

#include "analyzer/samples/metric_samples.h"
#include "analyzer/samples/standing.h"
#include "schema/policy.h"
#include "schema/report.h"

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
/// head, what head alone has stays `new`. Of all that are missing one warning tells, with the
/// filter that leaves them out where the format has one.
std::optional<Warning> add_skipped_rows(const WorkloadStanding& workload, const Policy& policy,
                                        std::vector<Comparison>& rows);

/// What the control arms say: base against base, judged as their workloads are, over all the pairs
/// they have. In the plan's order.
std::vector<ControlResult> control_results(const Standing& standing);

/// The same of the audits: base against head of the same program.
std::vector<ControlResult> audit_results(const Standing& standing);

/// Warns of each audit that would have been called changed, on its row and, the answer, of the
/// report.
std::vector<Warning> add_audit_warnings(const std::vector<ControlResult>& audits,
                                        std::vector<Comparison>& rows);

/// Says on each row what its control arm saw: "control_alarm" where base against itself would have
/// been called changed, else "control_shift" where its interval excludes zero.
void add_control_warnings(const std::vector<ControlResult>& controls,
                          std::vector<Comparison>& rows);

}  // namespace perf
