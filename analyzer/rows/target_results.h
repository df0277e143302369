#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "analyzer/samples/standing.h"
#include "schema/report.h"

namespace perf {

/// Evaluates the config's targets on head's medians: `of`, or `of` / `over`. One that sets
/// parameters is evaluated on the side, of whatever comparison, that ran with them; one that does
/// not is not evaluated where settings are compared, because no side may be as configured. One on
/// instructions goes by what was counted, where something was. Value and met stay null where that
/// was not measured, the target is for another size, or its workloads do not report its `when`.
std::vector<TargetResult> target_results(const std::vector<Target>& targets,
                                         const Standing& standing, const std::string& size);

/// Value against the bounds; null where there is none.
void check_bounds(TargetResult& result);

/// The targets of an earlier comparison.
struct EarlierTargets {
  Plan plan;
  std::string generated_at;
  std::vector<TargetResult> targets;
};

/// The targets of which every workload runs the same program on both sides, as they were when base
/// was last measured: at the head of a comparison (`told` has the newest first), or at its base
/// where head ran the same program there. The workloads must be what they were, down to their
/// parameters; the bounds are today's.
std::vector<TargetResult> known_targets(const std::vector<Target>& targets, const Plan& plan,
                                        const std::vector<EarlierTargets>& told);

/// Indices in the plan of the workloads that run the same program and have to be measured all the
/// same, because a target on them is not among those that are known. Of a shard also where the
/// target's other workload is another shard's, which may have to be measured there.
std::set<std::size_t> workloads_for_targets(const Plan& plan, const std::vector<Target>& targets,
                                            const std::vector<TargetResult>& known);

/// Targets on a metric that their workload does not have, although it ran, or that require a fact
/// that it does not report, although they would have a value: misspelt, most likely.
std::vector<Warning> target_warnings(const std::vector<Target>& targets, const Standing& standing,
                                     const std::string& size);

}  // namespace perf
