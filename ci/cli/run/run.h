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
/// store_report. The context and the view outlive it.
struct Run {
  Context& context;
  PlannedRun planned;
  Policy policy;
  ProgressView* progress = nullptr;  ///< shows its processes
  bool shows_rows = false;           ///< in `progress`, after each look
  Runner* runner = nullptr;          ///< absent: runs workloads unchanged
  bool rebuilds = false;             ///< builds anew what this command has not built
  std::string started_at = utc_now();
  Checkouts checkouts{};
  double build_seconds = 0;  ///< s; near 0 with cached builds
  Measurements measurements{};
};

/// Prints the warnings of a plan.
void print_warnings(const Plan& plan, ProgressView& progress, const std::string& indent = {});

/// Builds both sides; failures are printed now, and recorded in the plan for the report. Throws
/// Error if the machine failed, and not base.
void build(Run& run);

/// Builds both sides for one of many runs: cached builds are not announced, and failures are only
/// recorded in the plan.
void build_quietly(Run& run, ProgressView& progress, const std::string& indent = {});

/// Traces the programs of both sides; workloads with the same program are not measured.
void trace_run(Run& run);

/// Gives the workloads of a plan the noise of earlier runs, where a pair of them took long.
void recall_noise(const Store& store, const Policy& policy, Plan& plan);

/// Adds the run to the store; after building, because the stored plan contains build failures.
void begin(Run& run);

/// The next demand of a run; nothing if it is complete.
using Wanted = std::function<std::optional<Demand>(const Standing&)>;

/// Measures until nothing is wanted; stores every invocation when it ends. Without `wanted`, the
/// rule of a comparison decides.
void measure(Run& run, const Wanted& wanted = {});

/// The report of the measurements, without `reproduce`.
Report report_of(const Run& run, const std::vector<Target>& targets = {});

/// Begins, measures, and returns the report.
Report carry_out(Run& run, const Wanted& wanted = {}, const std::vector<Target>& targets = {});

/// Adds warnings of what changed on the machine meanwhile.
void add_environment_warnings(const Run& run, Report& report);

/// Stores the report, which finishes the run.
void store_report(Run& run, const Report& report);

}  // namespace perf
