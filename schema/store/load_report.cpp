#include <algorithm>
#include <limits>

#include "schema/error.h"
#include "schema/store/evidence.h"
#include "schema/store/json_text.h"
#include "schema/store/records.h"
#include "schema/store/report_columns.h"
#include "schema/store/report_details.h"
#include "schema/store/reproduce_line.h"
#include "schema/store/stored_values.h"
#include "schema/verdict_counts.h"

namespace perf::store {
namespace {

std::vector<Warning> warnings_of(const std::string& texts) {
  std::vector<Warning> warnings;
  for (std::string& text : lines_from_json(texts)) {
    warnings.push_back({"", std::move(text)});
  }
  return warnings;
}

Verdict verdict_named(const std::string& word) {
  for (const Verdict verdict : kVerdicts) {
    if (to_string(verdict) == word) {
      return verdict;
    }
  }
  throw Error("the store holds an unknown verdict", word,
              "it was not written by this program; do not use it");
}

/// Those that are ours; of others there is a warning in their place.
void read_reproduce(const std::string& text, Report& report) {
  report.reproduce = lines_from_json(text);
  const auto ours =
      std::stable_partition(report.reproduce.begin(), report.reproduce.end(), is_reproduce_line);
  if (ours != report.reproduce.end()) {
    report.reproduce.erase(ours, report.reproduce.end());
    report.warnings.push_back({"foreign_command",
                               "the stored command that should reproduce it is none that "
                               "perf-compare writes: it is not shown"});
  }
}

/// The columns of the report's own row; false where the run has no report.
bool load_row(Connection& connection, std::int64_t run, Report& report) {
  Statement rows = connection.query(
      "SELECT r.generated_at, run.tool_version, r.config_source, r.judged, r.measured, "
      "r.budget_spent, r.interrupted, r.nothing_ran, r.verdict, r.workload_facts, r.targets, "
      "r.warnings, r.reproduce, r.details, run.policy FROM report AS r "
      "JOIN run ON run.key = r.run WHERE r.run = ?1",
      run);
  if (!rows.next()) {
    return false;
  }
  std::string verdict, facts, targets, warnings, reproduce, details, policy;
  rows.read(report.generated_at, report.tool_version, report.config_source, report.judged,
            report.measured, report.budget_spent, report.interrupted, report.nothing_ran, verdict,
            facts, targets, warnings, reproduce, details, policy);
  require_count(report.judged);
  report.summary.verdict = verdict_named(verdict);
  report.workload_facts = workload_facts_from_json(facts);
  report.targets = targets_from_json(targets);
  report.warnings = warnings_of(warnings);
  report.policy = policy_from_json(policy);
  read_details(details, report);
  read_reproduce(reproduce, report);
  return true;
}

/// NULL stands for a statistic that does not exist.
void load_sides(Connection& connection, std::int64_t comparison, Comparison& row) {
  Statement rows = connection.query(
      "SELECT side = 'base', median, p90, mean, stddev, min, max, cov, invocations, steps "
      "FROM comparison_side WHERE comparison = ?1",
      comparison);
  while (rows.next()) {
    bool is_base = false;
    std::optional<double> median, p90, mean, stddev, min, max, cov;
    SideStats side;
    rows.read(is_base, median, p90, mean, stddev, min, max, cov, side.invocations, side.steps);
    const auto value = [](const std::optional<double>& statistic) {
      return statistic.value_or(std::numeric_limits<double>::quiet_NaN());
    };
    side.median = value(median);
    side.p90 = value(p90);
    side.mean = value(mean);
    side.stddev = value(stddev);
    side.min = value(min);
    side.max = value(max);
    side.cov = value(cov);
    require_count(side.invocations);
    require_count(side.steps);
    (is_base ? row.base : row.head) = side;
  }
}

Comparison read_comparison(Statement& rows, std::int64_t& key) {
  Comparison row;
  std::string params, phases, checks, notes, warnings, details;
  bool higher = false;
  std::optional<std::string> verdict;
  std::optional<double> low, high;
  rows.read(key, row.workload, params, row.metric.name, row.metric.unit, higher, row.judged,
            verdict, row.certain, row.change, low, high, row.threshold, row.smallest_visible,
            row.pairs, row.look, row.look_alpha, row.pairs_needed, row.p_value, phases, checks,
            notes, warnings, details);
  require_count(row.pairs);
  require_count(row.look);
  row.params = params_from_json(params);
  row.metric.better = higher ? Better::higher : Better::lower;
  if (verdict) {
    row.verdict = verdict_named(*verdict);
  }
  if (low && high) {
    row.interval = Interval{*low, *high};
  }
  row.phases = phases_from_json(phases);
  row.checks = checks_from_json(checks);
  row.notes = lines_from_json(notes);
  row.warnings = warnings_of(warnings);
  read_details(details, row);
  return row;
}

void load_comparisons(Connection& connection, std::int64_t run, Report& report) {
  Statement rows = connection.query(
      "SELECT c.key, c.workload, c.params, m.name, m.unit, m.better = 'higher', c.judged, "
      "c.verdict, c.certain, c.change, c.interval_low, c.interval_high, c.threshold, "
      "c.smallest_visible, c.pairs, c.look, c.look_alpha, c.pairs_needed, c.p_value, c.phases, "
      "c.checks, c.notes, c.warnings, c.details FROM comparison AS c "
      "JOIN metric AS m ON m.key = c.metric WHERE c.run = ?1 ORDER BY c.idx",
      run);
  while (rows.next()) {
    std::int64_t key = 0;
    report.comparisons.push_back(read_comparison(rows, key));
    load_sides(connection, key, report.comparisons.back());
  }
}

}  // namespace

Policy load_policy(Connection& connection, std::int64_t run) {
  return policy_from_json(
      connection.value<std::string>("SELECT policy FROM run WHERE key = ?1", run).value_or("{}"));
}

std::optional<Report> load_report(Connection& connection, std::int64_t run) {
  Report report;
  if (!load_row(connection, run, report)) {
    return std::nullopt;
  }
  const Plan plan = load_plan(connection, run);
  report.id = plan.run_id;
  report.base = plan.base;
  report.head = plan.head;
  report.environment = plan.environment;
  report.size = plan.size;
  report.seed = plan.seed;
  load_comparisons(connection, run, report);
  report.summary.counts = verdict_counts(report.comparisons);
  return report;
}

}  // namespace perf::store
