#include "ci/cli/stored_collection.h"

#include <algorithm>
#include <vector>

#include "analyzer/collect/collected_workloads.h"
#include "schema/first_line.h"

namespace perf {
namespace {

/// Why nothing of the commit could run: it did not build.
std::string common_failure(const Plan& plan) {
  std::string common = plan.workloads.empty() ? "" : plan.workloads.front().head_failed;
  for (const PlannedWorkload& planned : plan.workloads) {
    common = planned.head_failed == common ? common : "";
  }
  return on_one_line(common);
}

}  // namespace

Collection collection_of(const ReportOfRun& run) {
  const Report& report = run.report;
  CollectedCommit commit;
  commit.revision = run.plan.head;
  commit.run_id = run.plan.run_id;
  commit.failure = common_failure(run.plan);
  commit.workloads = collected_workloads(run.plan, run.history, report.policy,
                                         std::vector<int>(run.plan.workloads.size(), 1));
  commit.status = status_of(commit.workloads);
  Collection collection;
  collection.asked = run.plan.head.name.empty() ? run.plan.head.oid : run.plan.head.name;
  collection.generated_at = report.generated_at;
  collection.tool_version = report.tool_version;
  collection.anchor = run.plan.base;
  collection.fingerprint = run.plan.environment.fingerprint;
  collection.size = run.plan.size;
  for (const CollectedWorkload& workload : commit.workloads) {
    collection.wanted =
        std::max(collection.wanted, collection.anchor ? workload.pairs : workload.invocations);
  }
  collection.measured = report.measured;
  collection.interrupted = report.interrupted;
  collection.budget_spent = run.history.budget_spent;
  collection.commits.push_back(std::move(commit));
  return collection;
}

}  // namespace perf
