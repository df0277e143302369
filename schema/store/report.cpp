#include "schema/report.h"

#include <algorithm>
#include <cmath>

#include "schema/store/internal.h"
#include "schema/text/lists.h"

namespace perf::store {
namespace {

constexpr int kMostLooks = 1000;

/// Statistics that do not exist (0/0) are NULL, where a measured value must be finite.
std::optional<double> derived(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::optional<double> median_of(const std::optional<SideStats>& side) {
  return side ? derived(side->median) : std::nullopt;
}

/// What people query of a row.
void insert_comparison(Connection& connection, std::int64_t run, std::size_t idx,
                       const Comparison& row) {
  std::optional<std::string_view> verdict;
  if (row.verdict) {
    verdict = to_string(*row.verdict);
  }
  std::optional<double> low, high;
  if (row.interval) {
    low = derived(row.interval->low);
    high = derived(row.interval->high);
  }
  connection.add_row(
      "comparison (run, idx, workload, params, metric, judged, verdict, certain, base_median, "
      "head_median, change, interval_low, interval_high, threshold, smallest_visible, pairs, look, "
      "look_alpha, pairs_needed, p_value, warnings)",
      run, idx, row.workload, text_of(row.params), intern_metric(connection, row.metric),
      row.judged, verdict, row.certain, median_of(row.base), median_of(row.head),
      derived(row.change), low, high, row.threshold, derived(row.smallest_visible), row.pairs,
      row.look, derived(row.look_alpha), derived(row.pairs_needed), derived(row.p_value),
      text_of(mapped(row.warnings, &Warning::kind)));
}

/// Of the lines that tell how to repeat the run those that are ours; of others there is a warning.
/// One of `ab` would run any command of a stranger's store, so it is left out.
void keep_our_commands(Report& report) {
  if (std::erase_if(report.reproduce,
                    [](const std::string& line) { return !is_reproduce_line(line); }) > 0 &&
      !is_command(report.head)) {
    report.warnings.push_back({WarningKind::foreign_command});
  }
}

}  // namespace

Policy policy_of(const std::string& text) {
  const auto policy = value_of<Policy>(text);
  // The tables hold their own columns to this.
  if (policy.looks < 1 || policy.looks > kMostLooks || !(policy.alpha >= 0 && policy.alpha <= 1) ||
      !(policy.alpha_share >= 0 && policy.alpha_share <= 1)) {
    throw Error("the store has an invalid policy", text.substr(0, 80), kNotOurs);
  }
  return policy;
}

Policy load_policy(Connection& connection, std::int64_t run) {
  return policy_of(
      connection.value<std::string>("SELECT policy FROM run WHERE key = ?1", run).value_or("{}"));
}

}  // namespace perf::store

namespace perf {

void Store::finish_run(const Report& report, bool budget_spent) {
  store::WriteTransaction transaction(*connection_);
  const std::int64_t run = store::find_run(*connection_, report.id);
  if (connection_->value<std::int64_t>("SELECT run FROM report WHERE run = ?1", run)) {
    throw Error("the run already has a report", report.id,
                "start a new run: stored results are never replaced");
  }
  connection_->add_row("report (run, judged, measured, budget_spent, interrupted, verdict, result)",
                       run, report.judged, report.measured, budget_spent, report.interrupted,
                       to_string(report.summary.verdict), store::result_of(report));
  for (std::size_t i = 0; i < report.comparisons.size(); ++i) {
    store::insert_comparison(*connection_, run, i, report.comparisons[i]);
  }
  transaction.commit();
}

Policy Store::load_policy(const std::string& run_id) const {
  const store::ReadTransaction transaction(*connection_);
  return store::load_policy(*connection_, store::find_run(*connection_, run_id));
}

std::optional<Report> Store::load_report(const std::string& run_id) const {
  const store::ReadTransaction transaction(*connection_);
  const std::int64_t run = store::find_run(*connection_, run_id);
  const auto result =
      connection_->value<std::string>("SELECT result FROM report WHERE run = ?1", run);
  if (!result) {
    return std::nullopt;
  }
  Report report = begin_report(store::load_plan(*connection_, run));
  report.policy = store::load_policy(*connection_, run);
  report.tool_version =
      connection_->value<std::string>("SELECT tool_version FROM run WHERE key = ?1", run)
          .value_or("");
  store::read_result(*result, report);
  store::keep_our_commands(report);
  return report;
}

}  // namespace perf
