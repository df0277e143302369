#include <algorithm>

#include "schema/error.h"
#include "schema/store/records.h"
#include "schema/store/store.h"
#include "schema/store/stored_json.h"
#include "schema/store/stored_values.h"
#include "schema/store/transaction.h"

namespace perf::store {
namespace {

Revision load_revision(Connection& connection, std::int64_t key) {
  Revision revision;
  {
    Statement rows = connection.query(
        "SELECT oid, committed_at, author, subject FROM revision WHERE key = ?1", key);
    if (!rows.next()) {
      throw Error("the store holds a run without its revision", connection.file(),
                  "it was not written by this program; do not use it");
    }
    rows.read(revision.oid, revision.committed_at, revision.author, revision.subject);
  }
  require_oid(revision.oid);
  revision.parents = connection.values<std::string>(
      "SELECT oid FROM parent WHERE revision = ?1 ORDER BY idx", key);
  std::for_each(revision.parents.begin(), revision.parents.end(), require_oid);
  return revision;
}

Purpose purpose_named(const std::string& word) {
  for (const Purpose purpose : {Purpose::compare, Purpose::calibrate, Purpose::selftest,
                                Purpose::bisect, Purpose::collect}) {
    if (to_string(purpose) == word) {
      return purpose;
    }
  }
  throw Error("the store holds a run of an unknown purpose", word,
              "it was not written by this program; do not use it");
}

/// Fills in all that stands in the run's own row; answers the key of its environment.
std::int64_t load_run_row(Connection& connection, std::int64_t run, Plan& plan) {
  std::optional<std::int64_t> base;
  std::optional<std::string> base_name, base_rule;
  std::optional<bool> base_dirty;
  std::int64_t head = 0, environment = 0;
  std::string head_name, head_rule, purpose, missing, warnings;
  bool head_dirty = false;
  {
    Statement rows = connection.query(
        "SELECT id, purpose, base, base_name, base_rule, base_dirty, head, head_name, head_rule, "
        "head_dirty, environment, size, seed, missing, warnings FROM run WHERE key = ?1",
        run);
    rows.next();
    rows.read(plan.run_id, purpose, base, base_name, base_rule, base_dirty, head, head_name,
              head_rule, head_dirty, environment, plan.size, plan.seed, missing, warnings);
  }
  require_run_id(plan.run_id);
  require_size(plan.size);
  plan.purpose = purpose_named(purpose);
  plan.head = load_revision(connection, head);
  plan.head.name = head_name;
  plan.head.rule = head_rule;
  plan.head.dirty = head_dirty;
  if (base) {
    plan.base = load_revision(connection, *base);
    plan.base->name = base_name.value_or("");
    plan.base->rule = base_rule.value_or("");
    plan.base->dirty = base_dirty.value_or(false);
  }
  plan.missing = value_of<std::vector<std::string>>(missing);
  plan.warnings = value_of<std::vector<Warning>>(warnings);
  return environment;
}

Environment load_environment(Connection& connection, std::int64_t key, std::int64_t run) {
  Environment environment;
  environment.fingerprint =
      connection.value<std::string>("SELECT fingerprint FROM environment WHERE key = ?1", key)
          .value_or("");
  environment.machine =
      connection.facts("SELECT name, value FROM environment_fact WHERE environment = ?1", key);
  environment.facts = connection.facts("SELECT name, value FROM run_fact WHERE run = ?1", run);
  return environment;
}

std::vector<PlannedWorkload> load_workloads(Connection& connection, std::int64_t run) {
  const auto read = [](Statement& row, PlannedWorkload& planned) {
    std::string params, command;
    std::optional<std::string> base_params;
    Workload& workload = planned.workload;
    row.read(workload.name, params, command, workload.format, workload.timeout,
             workload.outside, planned.base_missing, planned.head_failed, base_params, planned.control_of);
    workload.params = value_of<Params>(params);
    workload.command = value_of<std::vector<std::string>>(command);
    if (base_params) {
      planned.base_params = value_of<Params>(*base_params);
    }
  };
  return connection.records<PlannedWorkload>(
      "SELECT w.name, w.params, w.command, w.format, w.timeout, w.outside, p.base_missing, "
      "p.head_failed, b.params, p.control_of FROM run_workload AS p JOIN workload AS w ON w.key = p.workload "
      "LEFT JOIN workload AS b ON b.key = p.base_workload WHERE p.run = ?1 ORDER BY p.idx",
      read, run);
}

}  // namespace

Plan load_plan(Connection& connection, std::int64_t run) {
  Plan plan;
  const std::int64_t environment = load_run_row(connection, run, plan);
  plan.environment = load_environment(connection, environment, run);
  plan.workloads = load_workloads(connection, run);
  return plan;
}

}  // namespace perf::store

namespace perf {

Plan Store::load_plan(const std::string& run_id) const {
  const store::ReadTransaction transaction(*connection_);
  return store::load_plan(*connection_, store::find_run(*connection_, run_id));
}

}  // namespace perf
