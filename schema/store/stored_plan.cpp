#include <algorithm>
#include <optional>
#include <utility>

#include "schema/error.h"
#include "schema/store/internal.h"

namespace perf::store {
namespace {

/// Begins base_missing of a workload that base's own config has.
constexpr std::string_view kOfBase = "[in the config of base] ";

std::int64_t insert_run_row(Connection& connection, const Plan& plan, const Policy& policy,
                            const std::string& tool_version, const std::string& started_at) {
  std::optional<std::int64_t> base;
  if (plan.base) {
    base = intern_revision(connection, *plan.base);
  }
  const auto of_base = [&plan](auto Revision::*member) {
    return plan.base ? std::optional(plan.base.value().*member) : std::nullopt;
  };
  const auto of_shard = [&plan](auto Shard::*member) {
    return plan.shard ? std::optional(plan.shard.value().*member) : std::nullopt;
  };
  return connection.add_row(
      "run (id, tool_version, started_at, base, base_name, base_rule, base_dirty, "
      "head, head_name, head_rule, head_dirty, environment, size, seed, threshold, alpha, looks, "
      "budget, policy, missing, warnings, purpose, host, plan_digest, attempt, shard, shards)",
      plan.run_id, tool_version, started_at, base, of_base(&Revision::name),
      of_base(&Revision::rule), of_base(&Revision::dirty), intern_revision(connection, plan.head),
      plan.head.name, plan.head.rule, plan.head.dirty,
      intern_environment(connection, plan.environment), plan.size, plan.seed, policy.threshold,
      policy.alpha, policy.looks, policy.budget, text_of(policy), text_of(plan.missing),
      text_of(plan.warnings), to_string(plan.purpose), plan.host, plan.digest, plan.attempt,
      of_shard(&Shard::number), of_shard(&Shard::count));
}

/// What the row of a commit says, whatever it was called.
void load_revision(Connection& connection, std::int64_t key, Revision& revision) {
  {
    Statement rows = connection.query(
        "SELECT oid, committed_at, author, subject FROM revision WHERE key = ?1", key);
    if (!rows.next()) {
      throw Error("the store has a run without its revision", connection.file(), kNotOurs);
    }
    rows.read(revision.oid, revision.committed_at, revision.author, revision.subject);
  }
  require_oid(revision.oid);
  revision.parents = connection.values<std::string>(
      "SELECT oid FROM parent WHERE revision = ?1 ORDER BY idx", key);
  std::for_each(revision.parents.begin(), revision.parents.end(), require_oid);
}

Purpose purpose_named(const std::string& word) {
  if (const std::optional<Purpose> purpose = named<Purpose>(word)) {
    return *purpose;
  }
  throw Error("the store has a run with an unknown purpose", word, kNotOurs);
}

/// The row of a run has the kind of a command as its rule.
void set_kind(Revision& revision) {
  const std::optional<SideKind> kind = named<SideKind>(revision.rule);
  if (kind == SideKind::command || kind == SideKind::item) {
    revision.kind = *kind;
  }
}

/// Fills in all that stands in the run's own row; answers the key of its environment.
std::int64_t load_run_row(Connection& connection, std::int64_t run, Plan& plan) {
  std::optional<std::int64_t> base_key;
  std::optional<int> shard, shards;
  std::int64_t head_key = 0, environment = 0;
  std::string purpose, missing, warnings;
  Revision base;
  {
    Statement rows = connection.query(
        "SELECT id, purpose, base, ifnull(base_name, ''), ifnull(base_rule, ''), "
        "ifnull(base_dirty, 0), head, head_name, head_rule, head_dirty, environment, size, seed, "
        "missing, warnings, host, plan_digest, attempt, shard, shards FROM run WHERE key = ?1",
        run);
    rows.next();
    rows.read(plan.run_id, purpose, base_key, base.name, base.rule, base.dirty, head_key,
              plan.head.name, plan.head.rule, plan.head.dirty, environment, plan.size, plan.seed,
              missing, warnings, plan.host, plan.digest, plan.attempt, shard, shards);
  }
  if (shard && shards) {
    plan.shard = Shard{*shard, *shards};
  }
  require_run_id(plan.run_id);
  require_size(plan.size);
  plan.purpose = purpose_named(purpose);
  load_revision(connection, head_key, plan.head);
  set_kind(plan.head);
  if (base_key) {
    load_revision(connection, *base_key, base);
    set_kind(base);
    plan.base = std::move(base);
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

std::vector<PlannedWorkload> load_workloads(Connection& connection, std::int64_t run,
                                            bool of_commands) {
  const auto read = [of_commands](Statement& row, PlannedWorkload& planned) {
    std::string params, command, needs, earlier_noise;
    std::optional<std::string> base_params, base_command, base_needs, base_program, head_program,
        difference;
    std::optional<bool> audited;
    Workload& workload = planned.workload;
    row.read(workload.name, params, command, workload.format, workload.timeout, workload.outside,
             needs, planned.base_missing, planned.head_failed, base_params, base_command,
             base_needs, planned.control_of, base_program, head_program, difference, audited,
             planned.new_files.count, planned.new_files.first, earlier_noise);
    planned.earlier_noise = value_of<std::vector<EarlierNoise>>(earlier_noise);
    planned.of_base = planned.base_missing.starts_with(kOfBase);
    planned.base_missing.erase(0, planned.of_base ? kOfBase.size() : 0);
    workload.params = value_of<Params>(params);
    workload.command = value_of<std::vector<std::string>>(command);
    if (base_command && base_needs && of_commands) {
      planned.at_base = workload;
      planned.at_base->command = value_of<std::vector<std::string>>(*base_command);
      read_needs(*base_needs, *planned.at_base);
    } else if (base_params) {
      planned.base_params = value_of<Params>(*base_params);
    }
    read_needs(needs, workload);
    if (difference) {
      const bool is_needed = *difference == TraceRecord::kNeededByTarget;
      planned.trace_record =
          TraceRecord{base_program.value_or(""), head_program.value_or(""),
                      is_needed ? "" : *difference, audited.value_or(false), is_needed};
    }
  };
  return connection.records<PlannedWorkload>(
      "SELECT w.name, w.params, w.command, w.format, w.timeout, w.outside, w.needs, "
      "p.base_missing, p.head_failed, b.params, b.command, b.needs, p.control_of, p.base_program, "
      "p.head_program, p.difference, "
      "p.audited, p.new_files, p.new_file, p.earlier_noise "
      "FROM run_workload AS p JOIN workload AS w ON w.key = p.workload "
      "LEFT JOIN workload AS b ON b.key = p.base_workload WHERE p.run = ?1 ORDER BY p.idx",
      read, run);
}

}  // namespace

void insert_run(Connection& connection, const Plan& plan, const Policy& policy,
                const std::string& tool_version, const std::string& started_at) {
  if (connection.value<std::int64_t>("SELECT key FROM run WHERE id = ?1", plan.run_id)) {
    throw Error("the store already has a run with this id", plan.run_id,
                "use a new id for every run");
  }
  const std::int64_t run = insert_run_row(connection, plan, policy, tool_version, started_at);
  for (const auto& [name, value] : plan.environment.facts) {
    connection.add_row("run_fact (run, name, value)", run, name, value);
  }
  for (std::size_t i = 0; i < plan.workloads.size(); ++i) {
    const PlannedWorkload& planned = plan.workloads[i];
    std::optional<std::int64_t> base_workload;
    if (planned.base_params || planned.at_base) {
      base_workload = intern_workload(connection, workload_at(planned, Side::base));
    }
    const auto looked = [&planned](const auto& value) {
      return planned.trace_record ? std::optional(value(*planned.trace_record)) : std::nullopt;
    };
    connection.add_row(
        "run_workload (run, idx, workload, base_missing, head_failed, base_workload, control_of, "
        "base_program, head_program, difference, audited, new_files, new_file, earlier_noise)",
        run, i, intern_workload(connection, planned.workload),
        std::string(planned.of_base ? kOfBase : "") + planned.base_missing, planned.head_failed,
        base_workload, planned.control_of,
        looked([](const TraceRecord& one) { return one.base_program; }),
        looked([](const TraceRecord& one) { return one.head_program; }),
        looked([](const TraceRecord& one) { return one.why_measured(); }),
        looked([](const TraceRecord& one) { return one.audited; }), planned.new_files.count,
        planned.new_files.first, text_of(planned.earlier_noise));
  }
}

std::int64_t find_run(Connection& connection, const std::string& id) {
  const auto run = connection.value<std::int64_t>("SELECT key FROM run WHERE id = ?1", id);
  if (!run) {
    throw Error("no such run in the store " + connection.file(), id,
                "list the runs: perf-compare list");
  }
  return *run;
}

Plan load_plan(Connection& connection, std::int64_t run) {
  Plan plan;
  const std::int64_t environment = load_run_row(connection, run, plan);
  plan.environment = load_environment(connection, environment, run);
  plan.workloads = load_workloads(connection, run, is_command(plan.head));
  return plan;
}

}  // namespace perf::store

namespace perf {

Plan Store::load_plan(const std::string& run_id) const {
  const store::ReadTransaction transaction(*connection_);
  return store::load_plan(*connection_, store::find_run(*connection_, run_id));
}

}  // namespace perf
