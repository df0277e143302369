#include "schema/error.h"
#include "schema/store/internal.h"

namespace perf::store {
namespace {

std::vector<Step> load_steps(Connection& connection, std::int64_t block) {
  auto steps = connection.records<Step>(
      "SELECT s.idx, s.warmup, s.seconds, b.rss + s.rss_above FROM step AS s "
      "JOIN block AS b ON b.key = s.block WHERE s.block = ?1 ORDER BY s.idx",
      [](Statement& row, Step& step) { row.read(step.index, step.warmup, step.seconds, step.rss); },
      block);
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
      throw Error("the store has a phase without its step", connection.file(), kNotOurs);
    }
    steps[at].phases.push_back(std::move(phase));
  }
  return steps;
}

std::vector<MetricValue> load_metrics(Connection& connection, std::int64_t block) {
  const auto read = [](Statement& row, MetricValue& value) {
    bool higher = false;
    row.read(value.metric.name, value.metric.unit, higher, value.value, value.judge);
    value.metric.better = higher ? Better::higher : Better::lower;
  };
  return connection.records<MetricValue>(
      "SELECT m.name, m.unit, m.better = 'higher', v.value, v.judge FROM metric_value AS v "
      "JOIN metric AS m ON m.key = v.metric WHERE v.block = ?1 AND v.reported = 1 ORDER BY v.idx",
      read, block);
}

std::vector<Check> load_checks(Connection& connection, std::int64_t block) {
  const auto read = [](Statement& row, Check& check) {
    row.read(check.name, check.passed, check.error, check.tolerance);
  };
  return connection.records<Check>(
      "SELECT n.name, c.passed, c.error, c.tolerance FROM check_result AS c "
      "JOIN name AS n ON n.key = c.name WHERE c.block = ?1 ORDER BY c.idx",
      read, block);
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

std::vector<Block> load_blocks(Connection& connection, std::int64_t invocation) {
  const auto read = [&connection](Statement& row, Block& block) {
    std::int64_t key = 0;
    bool is_pruned = false;
    std::string params, facts;
    row.read(key, block.workload, params, block.tokens_per_step, facts, block.skipped, is_pruned);
    if (is_pruned) {
      block.pruned = load_summary(connection, key);
    }
    block.params = value_of<Params>(params);
    block.facts = value_of<std::map<std::string, std::string>>(facts);
    block.steps = load_steps(connection, key);
    block.metrics = load_metrics(connection, key);
    block.checks = load_checks(connection, key);
  };
  return connection.records<Block>(
      "SELECT b.key, d.workload, d.params, d.tokens_per_step, d.facts, b.skipped, "
      "p.block IS NOT NULL FROM block AS b JOIN declaration AS d ON d.key = b.declaration "
      "LEFT JOIN pruned_block AS p ON p.block = b.key WHERE b.invocation = ?1 ORDER BY b.idx",
      read, invocation);
}

std::vector<Invocation> load_invocations(Connection& connection, std::int64_t run) {
  const auto read = [&connection](Statement& row, Invocation& i) {
    std::int64_t key = 0;
    bool is_base = false;
    const auto read_all = [&](auto&... values) {
      row.read(key, i.workload, is_base, i.oid, i.process.stdout_text, i.process.stderr_text,
               values...);
    };
    std::apply(read_all, invocation_columns(i));
    i.side = is_base ? Side::base : Side::head;
    i.blocks = load_blocks(connection, key);
  };
  return connection.records<Invocation>(
      "SELECT i.key, w.name, i.side = 'base', r.oid, ifnull(o.stdout, ''), ifnull(o.stderr, ''), " +
          std::string(kInvocationColumns) +
          " FROM invocation AS i JOIN workload AS w ON w.key = i.workload "
          "JOIN revision AS r ON r.key = i.revision LEFT JOIN output AS o ON o.invocation = i.key "
          "WHERE i.run = ?1 ORDER BY i.start_order",
      read, run);
}

}  // namespace
}  // namespace perf::store

namespace perf {

Measurements Store::load(const std::string& run_id) const {
  const store::ReadTransaction transaction(*connection_);
  const std::int64_t run = store::find_run(*connection_, run_id);
  Measurements measurements;
  measurements.invocations = store::load_invocations(*connection_, run);
  for (const Invocation& invocation : measurements.invocations) {
    measurements.measured += invocation.counted || invocation.traced ? 0 : invocation.took;
  }
  store::Statement report =
      connection_->query("SELECT budget_spent, interrupted FROM report WHERE run = ?1", run);
  if (report.next()) {
    report.read(measurements.budget_spent, measurements.interrupted);
  }
  return measurements;
}

}  // namespace perf
