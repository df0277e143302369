#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "analyzer/samples/standing.h"
#include "schema/environment.h"
#include "schema/policy.h"
#include "schema/report.h"
#include "schema/warning.h"

namespace perf {

/// Reasons to doubt a row: noisy sides, too few pairs, a metric that some
/// pairs lack, sides that ran with different parameters, what the session did to the pairs of a
/// judged row (session_warnings.h; `judged` rows share the error rate of warnings).
void add_series_warnings(const MetricStanding& one, const WorkloadStanding& workload,
                         const Policy& policy, int judged, Comparison& row);

/// What concerns a workload as a whole, on its step_time row (else its first): pairs run again,
/// base given up, a disturbed machine, and facts that differ between the two sides: a warning where
/// it can change a timing (BLAS core, threads, flags; not where two settings are compared on
/// purpose), else a note.
void add_workload_warnings(const WorkloadStanding& workload, const Policy& policy,
                           std::vector<Comparison>& rows);

/// What watching the GPUs of a workload showed: that it failed, or that memory of others appeared;
/// and the note that a GPU lowered its clock, with its reasons and the mean share of the samples.
void add_device_warnings(const WorkloadSamples& samples, Comparison& row);

/// What the session did to the pairs behind a verdict: `session_drift` (the level of both sides
/// moved; pairs cancel it), `halves_disagree` (its second half shows another change than its first)
/// and `bimodal_pairs` (the pairs, or the runs of a side, fall into two groups). Each has to be
/// beyond chance and at least policy.warning_share of the threshold.
///
/// Chance: policy.warning_alpha is shared among the `judged` rows of the report; the halves, which
/// need the most pairs, get eight tenths of it, the drift one, the groups about one (their level is
/// fixed, see two_clusters.h); a row that took k looks has a k-th of its share. `pairs`: how many
/// are behind the verdict.
std::vector<Warning> session_warnings(const MetricStanding& one, std::size_t pairs,
                                      const Policy& policy, int judged);

/// How the level of a session moved from its first pair to its last.
struct SessionDrift {
  double size = 0;     ///< ln, Theil-Sen slope times the length of the session
  double p_value = 1;  ///< two-sided, Mann-Kendall
};

/// The trend of values in the order they were measured; nothing where there are fewer than three.
/// Slope: the median of all pairwise slopes, Sen, "Estimates of the regression coefficient based on
/// Kendall's tau", JASA 63 (1968), 1379-1389. Test: Mann, "Nonparametric tests against trend",
/// Econometrica 13 (1945), 245-259, by the normal approximation with continuity correction and the
/// variance corrected for ties (Hollander & Wolfe, section 8.1); its tails are heavier than the
/// exact ones, so that it errs on the side of silence. The values must be finite.
std::optional<SessionDrift> session_drift(std::span<const double> values);

/// Where two settings of a workload are compared, all else has to be equal: adds a warning for each
/// parameter that was not set and differs, for each fact of the workload's own (BLAS, threads,
/// compiler, flags) that differs and that no set parameter names, and for a setting that both sides
/// ran without; and one where a step is not as many tokens on both sides. Which facts a parameter
/// names: accounts_for (samples.h). Settings are noted with both values, also where
/// a program ran with another value than was set. By what the first
/// invocations of each side say; missing statements raise no warning.
void add_fairness_warnings(const WorkloadSamples& samples, Comparison& row);

/// Disturbances of the processes of one workload, by the kernel's figures:
/// `steal` (the hypervisor took processor time away) and `machine_pressure` (something waited for a
/// processor), as shares of their wall time above policy.steal_share and policy.pressure_share.
/// Processes without such figures count on neither side of the share.
std::vector<Warning> machine_warnings(const WorkloadSamples& samples, const Policy& policy);

/// The same of the whole run, where at least half of its measured workloads (and two) have the
/// warning: then it is the machine's, not the workloads'.
std::vector<Warning> machine_warnings(const Standing& standing, const Policy& policy);

/// What changed about the machine while a run measured: `environment_changed` for each fact that is
/// known at both ends, differs, and can change a timing (governor, boost, power supply, cores
/// allowed, ...; not the load, which is measured elsewhere). Pairs cancel such a change; what was
/// measured before and after it is not of one machine.
std::vector<Warning> environment_warnings(const Environment& begin, const Environment& end);

}  // namespace perf
