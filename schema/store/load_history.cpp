#include "schema/error.h"
#include "schema/store/records.h"
#include "schema/store/stored_json.h"

namespace perf::store {
namespace {

struct KeyedInvocation {
  std::int64_t key = 0;
  Invocation invocation;
};

std::vector<KeyedInvocation> load_invocations(Connection& connection, std::int64_t run) {
  std::vector<KeyedInvocation> found;
  Statement rows = connection.query(
      "SELECT i.key, w.name, i.side = 'base', r.oid, i.pair, i.attempt, i.start_order, i.paired, "
      "i.steps_wanted, i.warmup_wanted, i.seed, i.padding, i.failure, i.exit_code, i.signal, "
      "i.timed_out, i.spawn_error, i.wall, i.took, i.user, i.system, i.peak_rss, i.minor_faults, "
      "i.major_faults, i.voluntary_switches, i.involuntary_switches, i.steal, i.cpu_pressure, "
      "i.memory_available_before, i.layout_seed, i.counted, i.instructions, ifnull(o.stdout, ''), "
      "ifnull(o.stderr, '') "
      "FROM invocation AS i JOIN workload AS w ON w.key = i.workload "
      "JOIN revision AS r ON r.key = i.revision LEFT JOIN output AS o ON o.invocation = i.key "
      "WHERE i.run = ?1 ORDER BY i.start_order",
      run);
  while (rows.next()) {
    KeyedInvocation& keyed = found.emplace_back();
    Invocation& i = keyed.invocation;
    ProcessResult& p = i.process;
    bool is_base = false;
    rows.read(keyed.key, i.workload, is_base, i.oid, i.pair, i.attempt, i.start_order, i.paired,
              i.steps_wanted, i.warmup_wanted, i.seed, i.padding, i.failure, p.exit_code, p.signal,
              p.timed_out, p.spawn_error, p.wall, i.took, p.user, p.system, p.peak_rss,
              p.minor_faults, p.major_faults, p.voluntary_switches, p.involuntary_switches, p.steal,
              p.cpu_pressure, p.memory_available_before, i.layout_seed, i.counted, p.instructions,
              p.stdout_text, p.stderr_text);
    i.side = is_base ? Side::base : Side::head;
  }
  return found;
}

void load_steps(Connection& connection, std::int64_t block, std::vector<Step>& steps) {
  {
    Statement rows = connection.query(
        "SELECT s.idx, s.warmup, s.seconds, b.rss + s.rss_above FROM step AS s "
        "JOIN block AS b ON b.key = s.block WHERE s.block = ?1 ORDER BY s.idx",
        block);
    while (rows.next()) {
      Step& step = steps.emplace_back();
      rows.read(step.index, step.warmup, step.seconds, step.rss);
    }
  }
  Statement rows = connection.query(
      "SELECT p.step, n.name, p.seconds FROM phase AS p JOIN name AS n ON n.key = p.name "
      "WHERE p.block = ?1 ORDER BY p.step, p.name",
      block);
  std::size_t at = 0;
  for (std::int64_t index = 0; rows.next();) {
    std::pair<std::string, double> phase;
    rows.read(index, phase.first, phase.second);
    while (at < steps.size() && steps[at].index < index) {
      ++at;
    }
    if (at == steps.size() || steps[at].index != index) {
      throw Error("the store holds a phase without its step", connection.file(),
                  "it was not written by this program; do not use it");
    }
    steps[at].phases.push_back(std::move(phase));
  }
}

void load_metrics(Connection& connection, std::int64_t block, std::vector<MetricValue>& metrics) {
  Statement rows = connection.query(
      "SELECT m.name, m.unit, m.better = 'higher', v.value, v.judge FROM metric_value AS v "
      "JOIN metric AS m ON m.key = v.metric WHERE v.block = ?1 AND v.reported = 1 ORDER BY v.idx",
      block);
  for (bool higher = false; rows.next();) {
    MetricValue& value = metrics.emplace_back();
    rows.read(value.metric.name, value.metric.unit, higher, value.value, value.judge);
    value.metric.better = higher ? Better::higher : Better::lower;
  }
}

void load_checks(Connection& connection, std::int64_t block, std::vector<Check>& checks) {
  Statement rows = connection.query(
      "SELECT n.name, c.passed, c.error, c.tolerance FROM check_result AS c "
      "JOIN name AS n ON n.key = c.name WHERE c.block = ?1 ORDER BY c.idx",
      block);
  while (rows.next()) {
    Check& check = checks.emplace_back();
    rows.read(check.name, check.passed, check.error, check.tolerance);
  }
}

StepSummary load_summary(Connection& connection, std::int64_t block) {
  Statement rows = connection.query(
      "SELECT b.timed, p.warmup, b.median, p.mean, p.stddev, p.min, p.p90, p.max "
      "FROM pruned_block AS p JOIN block AS b ON b.key = p.block WHERE p.block = ?1",
      block);
  StepSummary summary;
  if (rows.next()) {
    rows.read(summary.timed, summary.warmup, summary.median, summary.mean, summary.stddev,
              summary.min, summary.p90, summary.max);
  }
  return summary;
}

void load_blocks(Connection& connection, std::int64_t invocation, std::vector<Block>& blocks) {
  Statement rows = connection.query(
      "SELECT b.key, d.workload, d.params, d.tokens_per_step, d.facts, "
      "p.block IS NOT NULL FROM block AS b JOIN declaration AS d ON d.key = b.declaration "
      "LEFT JOIN pruned_block AS p ON p.block = b.key WHERE b.invocation = ?1 ORDER BY b.idx",
      invocation);
  std::int64_t key = 0;
  bool is_pruned = false;
  for (std::string params, facts; rows.next();) {
    Block& block = blocks.emplace_back();
    rows.read(key, block.workload, params, block.tokens_per_step, facts, is_pruned);
    if (is_pruned) {
      block.pruned = load_summary(connection, key);
    }
    block.params = value_of<Params>(params);
    block.facts = value_of<std::map<std::string, std::string>>(facts);
    load_steps(connection, key, block.steps);
    load_metrics(connection, key, block.metrics);
    load_checks(connection, key, block.checks);
  }
}

}  // namespace

History load_history(Connection& connection, std::int64_t run) {
  History history;
  for (KeyedInvocation& keyed : load_invocations(connection, run)) {
    load_blocks(connection, keyed.key, keyed.invocation.blocks);
    if (!keyed.invocation.counted) {
      history.measured += keyed.invocation.took;
    }
    history.invocations.push_back(std::move(keyed.invocation));
  }
  Statement report =
      connection.query("SELECT budget_spent, interrupted FROM report WHERE run = ?1", run);
  if (report.next()) {
    report.read(history.budget_spent, history.interrupted);
  }
  return history;
}

}  // namespace perf::store
