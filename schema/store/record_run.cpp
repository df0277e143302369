#include <optional>

#include "schema/error.h"
#include "schema/store/records.h"
#include "schema/store/stored_json.h"

namespace perf::store {
namespace {

std::int64_t insert_run_row(Connection& connection, const Plan& plan, const Policy& policy,
                            const std::string& tool_version, const std::string& started_at) {
  std::optional<std::int64_t> base;
  std::optional<std::string> base_name, base_rule;
  std::optional<bool> base_dirty;
  if (plan.base) {
    base = intern_revision(connection, *plan.base);
    base_name = plan.base->name;
    base_rule = plan.base->rule;
    base_dirty = plan.base->dirty;
  }
  return connection.add_row(
      "run (id, tool_version, started_at, base, base_name, base_rule, base_dirty, "
      "head, head_name, head_rule, head_dirty, environment, size, seed, threshold, alpha, looks, "
      "budget, policy, missing, warnings, purpose)",
      plan.run_id, tool_version, started_at, base, base_name, base_rule, base_dirty,
      intern_revision(connection, plan.head), plan.head.name, plan.head.rule, plan.head.dirty,
      intern_environment(connection, plan.environment), plan.size, plan.seed, policy.threshold,
      policy.alpha, policy.looks, policy.budget, text_of(policy), text_of(plan.missing),
      text_of(plan.warnings), to_string(plan.purpose));
}

}  // namespace

void insert_run(Connection& connection, const Plan& plan, const Policy& policy,
                const std::string& tool_version, const std::string& started_at) {
  if (connection.value<std::int64_t>("SELECT key FROM run WHERE id = ?1", plan.run_id)) {
    throw Error("a run of this id is already in the store", plan.run_id,
                "every run needs an id of its own");
  }
  const std::int64_t run = insert_run_row(connection, plan, policy, tool_version, started_at);
  for (const auto& [name, value] : plan.environment.facts) {
    connection.add_row("run_fact (run, name, value)", run, name, value);
  }
  for (std::size_t i = 0; i < plan.workloads.size(); ++i) {
    const PlannedWorkload& planned = plan.workloads[i];
    std::optional<std::int64_t> base_workload;
    if (planned.base_params) {
      base_workload = intern_workload(connection, workload_at(planned, Side::base));
    }
    connection.add_row(
        "run_workload (run, idx, workload, base_missing, head_failed, base_workload, control_of)",
        run, i, intern_workload(connection, planned.workload), planned.base_missing,
        planned.head_failed, base_workload, planned.control_of);
  }
}

std::int64_t find_run(Connection& connection, const std::string& id) {
  const auto run = connection.value<std::int64_t>("SELECT key FROM run WHERE id = ?1", id);
  if (!run) {
    throw Error("there is no such run in the store " + connection.file(), id,
                "perf-compare list shows them");
  }
  return *run;
}

}  // namespace perf::store
