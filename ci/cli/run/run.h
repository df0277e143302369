#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/samples/standing.h"
#include "ci/cli/run/clock.h"
#include "ci/cli/run/context.h"
#include "ci/cli/run/progress.h"
#include "collector/checkout.h"
#include "collector/collect.h"
#include "collector/plan/plan.h"
#include "schema/demand.h"
#include "schema/invocation.h"
#include "schema/policy.h"
#include "schema/report.h"

namespace perf {

/// One run, from its plan to its report in the store: plan, build, begin, measure, report_of,
/// store_report. The session and the view outlive it.
struct Run {
  Context& context;
  PlannedRun planned;
  Policy policy;
  ProgressView* progress = nullptr;  ///< hears of its processes
  bool shows_rows = false;           ///< there, after each look
  Runner* runner = nullptr;          ///< absent: what runs workloads as they are
  std::string started_at = utc_now();
  Checkouts checkouts{};
  double build_seconds = 0;  ///< s that building took: next to nothing where the cache had it
  Measurements measurements{};
};

/// Says what the plan warns of.
void tell_warnings(const Plan& plan, ProgressView& progress, const std::string& indent = {});

/// Builds both sides; what cannot be built is said at once, and stands in the plan for the report.
/// Throws Error where that tells nothing of base, but of the machine.
void build(Run& run);

/// Builds both sides for one of many runs: that something is built already is no news, and what
/// cannot be built only stands in the plan.
void build_quietly(Run& run, ProgressView& progress, const std::string& indent = {});

/// Looks at the programs of both sides; what is the same is not measured.
void trace_run(Run& run);

/// Makes it a run of the store. After building: what could not be built belongs to the plan that is
/// stored.
void begin(Run& run);

/// What is still wanted where a run stands; nothing when it is enough.
using Wanted = std::function<std::optional<Demand>(const Standing&)>;

/// As long as something is wanted, measures it; every invocation is stored as it ends. Without
/// `wanted`: what the rule of a comparison wants.
void measure(Run& run, const Wanted& wanted = {});

/// What was measured, analyzed; `reproduce` is the caller's.
Report report_of(const Run& run, const std::vector<Target>& targets = {});

/// Begins, measures, and makes the report.
Report carry_out(Run& run, const Wanted& wanted = {}, const std::vector<Target>& targets = {});

/// Stores the report, with which the run counts as finished.
void store_report(Run& run, const Report& report);

}  // namespace perf
