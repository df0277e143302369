#pragma once

#include <string>
#include <vector>

#include "analyzer/samples/metric_samples.h"
#include "analyzer/samples/standing.h"
#include "schema/report.h"

namespace perf {

/// Where both sides fail a check now and then, head's failures are news when chance makes so many
/// more of them of equally shaky sides with no more than this probability.
inline constexpr double kShakyCheckLevel = 0.01;

/// The checks of a series' blocks, by name: how many invocations of a side ran and failed each, and
/// passed where every one did. Traced invocations count too.
std::vector<CheckResult> check_results(const MetricSamples& series);

/// "Faster but wrong", exit code 1: head fails a check, and base does not fail it in the same way.
/// By the counts: base never does (or did not run it); or head always does, and base in fewer than
/// half of its invocations; or head does clearly more often (Fisher's exact test, one-sided:
/// Fisher, "The logic of inductive inference", JRSS 98 (1935), 39-54). Without counts: what
/// `new_failure` says, else that head failed it and base did not.
bool is_new_failure(const CheckResult& check);

/// What to know of checks that head fails and that pass or fail from run to run: "check NAME fails
/// in 12 of 12 at head, 2 of 12 at base".
std::vector<Warning> check_notes(const std::vector<CheckResult>& checks);

/// Puts the checks of a workload on its rows. They belong to a block, rows to its metrics: each
/// block's checks go on one row, step_time's if there is one. There is a row.
void attach_checks(const WorkloadStanding& workload, std::vector<Comparison>& rows);

/// Whether any comparison of a report has such a check.
bool has_new_check_failure(const Report& report);

}  // namespace perf
