#pragma once

#include <vector>

#include "analyzer/samples/standing.h"
#include "schema/invocation.h"
#include "schema/plan.h"
#include "schema/policy.h"
#include "schema/report.h"

namespace perf {

/// Turns what was measured into a finished report by the rule of docs/verdicts.md.
/// Works at any moment of a run: rows not decided yet are inconclusive. Leaves to the caller what
/// needs a clock or the command line: generated_at, tool_version, config_source, reproduce.
Report analyze(const Standing& standing, const std::vector<Target>& targets = {});

inline Report analyze(const Plan& plan, const Measurements& measurements, const Policy& policy,
                      const std::vector<Target>& targets) {
  return analyze(standing_of(plan, measurements, policy), targets);
}

}  // namespace perf
