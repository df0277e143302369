#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "schema/error.h"
#include "schema/readings.h"
#include "schema/store/internal.h"
#include "schema/text/utf8.h"

namespace perf::store {
namespace {

/// The last bytes of a text, cut where a UTF-8 character begins.
std::string_view tail(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) {
    return text;
  }
  return text.substr(character_start(text, text.size() - limit));
}

std::int64_t planned_workload(Connection& connection, std::int64_t run, const std::string& name,
                              Side side) {
  const auto key = connection.value<std::int64_t>(
      "SELECT CASE WHEN ?3 THEN ifnull(p.base_workload, p.workload) ELSE p.workload END "
      "FROM run_workload AS p JOIN workload AS w ON w.key = p.workload "
      "WHERE p.run = ?1 AND w.name = ?2",
      run, name, side == Side::base);
  if (!key) {
    throw Error("an invocation of a workload outside its plan", name, {});
  }
  return *key;
}

std::int64_t known_revision(Connection& connection, const std::string& oid) {
  const auto key = connection.value<std::int64_t>("SELECT key FROM revision WHERE oid = ?1", oid);
  if (!key) {
    throw Error("an invocation of an unknown revision", oid, {});
  }
  return *key;
}

std::int64_t insert_invocation_row(Connection& connection, std::int64_t run,
                                   const Invocation& invocation) {
  const auto insert = [&](const auto&... values) {
    return connection.add_row(
        "invocation (run, workload, side, revision, " + std::string(kInvocationColumns) + ")", run,
        planned_workload(connection, run, invocation.workload, invocation.side),
        to_string(invocation.side), known_revision(connection, invocation.oid), values...);
  };
  return std::apply(insert, invocation_columns(invocation));
}

void insert_output(Connection& connection, std::int64_t invocation, const Invocation& record) {
  const std::size_t limit = record.ok() ? kOutputKept : kOutputKeptOfFailure;
  const std::string_view out = tail(record.process.stdout_text, limit);
  const std::string_view err = tail(record.process.stderr_text, limit);
  if (!out.empty() || !err.empty()) {
    connection.add_row("output (invocation, stdout, stderr)", invocation, out, err);
  }
}

std::optional<std::int64_t> last_rss(const std::vector<Step>& steps) {
  const auto last = std::find_if(steps.rbegin(), steps.rend(),
                                 [](const Step& step) { return step.rss.has_value(); });
  return last == steps.rend() ? std::nullopt : last->rss;
}

void insert_steps(Connection& connection, std::int64_t block, const std::vector<Step>& steps,
                  std::optional<std::int64_t> block_rss) {
  std::map<std::string, std::int64_t, std::less<>> names;  // of this transaction: see intern.cpp
  const Step* previous = nullptr;
  for (const Step& step : steps) {
    if (previous != nullptr && step.index <= previous->index) {
      throw Error("the steps of a block are out of order", "step " + std::to_string(step.index),
                  {});
    }
    previous = &step;
    connection.run(
        "INSERT INTO step (block, idx, warmup, seconds, rss_above) VALUES (?1, ?2, ?3, ?4, "
        "?5 - ?6)",
        block, step.index, step.warmup, step.seconds, step.rss, block_rss);
    for (const auto& [name, seconds] : step.phases) {
      auto known = names.find(name);
      if (known == names.end()) {
        known = names.emplace(name, intern_name(connection, name)).first;
      }
      connection.run("INSERT INTO phase (block, step, name, seconds) VALUES (?1, ?2, ?3, ?4)",
                     block, step.index, known->second, seconds);
    }
  }
}

void insert_block(Connection& connection, std::int64_t invocation, std::size_t idx,
                  const Block& block, const std::set<std::string>& taken) {
  const std::optional<std::int64_t> rss = last_rss(block.steps);
  const BlockReading reading = read_block(block, taken);
  const std::int64_t key = connection.add_row(
      "block (invocation, idx, declaration, timed, median, rss, skipped)", invocation, idx,
      intern_declaration(connection, block),
      std::ranges::count(block.steps, false, &Step::warmup), reading.step_time, rss, block.skipped);
  insert_steps(connection, key, block.steps, rss);
  std::size_t place = 0;
  for (const auto& [said, reported, counts] : reading.values) {
    if (reported || std::isfinite(said.value)) {
      connection.add_row("metric_value (block, idx, metric, value, judge, reported, counts)", key,
                         place++, intern_metric(connection, said.metric), said.value, said.judge,
                         reported, counts);
    }
  }
  for (std::size_t i = 0; i < block.checks.size(); ++i) {
    const Check& check = block.checks[i];
    connection.add_row("check_result (block, idx, name, passed, error, tolerance)", key, i,
                       intern_name(connection, check.name), check.passed, check.error,
                       check.tolerance);
  }
}

}  // namespace

void insert_invocation(Connection& connection, std::int64_t run, const Invocation& invocation) {
  const std::int64_t key = insert_invocation_row(connection, run, invocation);
  insert_output(connection, key, invocation);
  std::set<std::string> taken;
  if (invocation.blocks.size() == 1) {  // what is said of the process is said of its only block
    for (const MetricValue& value : process_values(invocation.process)) {
      taken.insert(value.metric.name);
    }
  }
  for (std::size_t i = 0; i < invocation.blocks.size(); ++i) {
    insert_block(connection, key, i, invocation.blocks[i], taken);
  }
}

}  // namespace perf::store
