#include <cmath>

#include "schema/error.h"
#include "schema/store/json_text.h"
#include "schema/store/records.h"
#include "schema/store/report_details.h"

namespace perf::store {
namespace {

std::vector<std::string> texts_of(const std::vector<Warning>& warnings) {
  std::vector<std::string> texts;
  texts.reserve(warnings.size());
  for (const Warning& warning : warnings) {
    texts.push_back(warning.text);
  }
  return texts;
}

/// Statistics that do not exist (0/0) are NULL, where a measured value must be finite.
std::optional<double> derived(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? value : std::nullopt;
}

void insert_side(Connection& connection, std::int64_t comparison, const char* side,
                 const std::optional<SideStats>& stats) {
  if (!stats) {
    return;
  }
  connection.run(
      "INSERT INTO comparison_side (comparison, side, median, p90, mean, stddev, min, max, cov, "
      "invocations, steps) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
      comparison, side, derived(stats->median), derived(stats->p90), derived(stats->mean),
      derived(stats->stddev), derived(stats->min), derived(stats->max), derived(stats->cov),
      stats->invocations, stats->steps);
}

void insert_comparison(Connection& connection, std::int64_t run, std::size_t idx,
                       const Comparison& comparison) {
  std::optional<std::string_view> verdict;
  if (comparison.verdict) {
    verdict = to_string(*comparison.verdict);
  }
  std::optional<double> low, high;
  if (comparison.interval) {
    low = comparison.interval->low;
    high = comparison.interval->high;
  }
  const std::int64_t key = connection.insert(
      "INSERT INTO comparison (run, idx, workload, params, metric, judged, verdict, certain, "
      "change, interval_low, interval_high, threshold, smallest_visible, pairs, look, look_alpha, "
      "pairs_needed, p_value, phases, checks, notes, warnings, details) VALUES (?1, ?2, ?3, ?4, "
      "?5, "
      "?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23)",
      run, idx, comparison.workload, to_json(comparison.params),
      intern_metric(connection, comparison.metric), comparison.judged, verdict, comparison.certain,
      derived(comparison.change), derived(low), derived(high), comparison.threshold,
      derived(comparison.smallest_visible), comparison.pairs, comparison.look,
      derived(comparison.look_alpha), derived(comparison.pairs_needed), derived(comparison.p_value),
      to_json(comparison.phases), to_json(comparison.checks), to_json(comparison.notes),
      to_json(texts_of(comparison.warnings)), details_of(comparison));
  insert_side(connection, key, "base", comparison.base);
  insert_side(connection, key, "head", comparison.head);
}

}  // namespace

void insert_report(Connection& connection, std::int64_t run, const Report& report,
                   bool budget_spent) {
  if (connection.value<std::int64_t>("SELECT run FROM report WHERE run = ?1", run)) {
    throw Error("this run already has its report", report.id, "what is stored is never replaced");
  }
  connection.run(
      "INSERT INTO report (run, generated_at, config_source, judged, measured, budget_spent, "
      "interrupted, nothing_ran, verdict, workload_facts, targets, warnings, reproduce, details) "
      "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
      run, report.generated_at, report.config_source, report.judged, report.measured, budget_spent,
      report.interrupted, report.nothing_ran, to_string(report.summary.verdict),
      to_json(report.workload_facts), to_json(report.targets), to_json(texts_of(report.warnings)),
      to_json(report.reproduce), details_of(report));
  for (std::size_t i = 0; i < report.comparisons.size(); ++i) {
    insert_comparison(connection, run, i, report.comparisons[i]);
  }
}

}  // namespace perf::store
