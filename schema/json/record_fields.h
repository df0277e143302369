#pragma once

#include <concepts>
#include <nlohmann/json.hpp>
#include <string>
#include <type_traits>
#include <utility>

#include "schema/calibration.h"
#include "schema/plan.h"
#include "schema/ratchet.h"
#include "schema/report.h"
#include "schema/text/lists.h"

/// The one mapping of the records to JSON, both ways: each function lists the fields of a record
/// for a visitor that writes them (json_writer.h) or reads them (json_record_reader.h). The names
/// are those of schema/json/*.schema.json.
///
///     visit(name, member)          a member of any type that the visitors know
///     visit.or_null(name, text)    an empty text is null
///     visit.time(name, seconds)    seconds since the epoch as ISO 8601, UTC
///     visit.within(name, fields)   fields that stand in an object of their own
namespace perf {

/// Visits members that are called in JSON as they are called here; `visit` and `record` are the
/// names of the parameters around it. At most 63.
#define PERF_FIELD(member) visit(#member, record.member);
#define PERF_FIELDS(...) NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(PERF_FIELD, __VA_ARGS__))

/// `T`, to be read into; `const T`, to be written.
template <class Given, class T>
concept EitherConst = std::same_as<std::remove_const_t<Given>, T>;

// ---- what others are made of

void fields(auto& visit, EitherConst<Warning> auto& record) {
  PERF_FIELDS(kind, figures, about)
}

/// Stands among the fields of the record that it is the metric of.
void fields(auto& visit, EitherConst<Metric> auto& record) {
  visit("metric", record.name);
  PERF_FIELDS(unit, better)
}

void fields(auto& visit, EitherConst<std::pair<Metric, double>> auto& record) {
  fields(visit, record.first);
  visit("value", record.second);
}

void fields(auto& visit, EitherConst<Revision> auto& record) {
  PERF_FIELDS(kind, name, rule, oid, parents, author, subject)
  visit.time("committed_at", record.committed_at);
  PERF_FIELDS(dirty)
  if constexpr (std::is_const_v<std::remove_reference_t<decltype(record)>>) {
    if (is_command(record)) {
      visit(to_string(record.kind).data(), record.name);
      visit("digest", record.subject);
    }
  }
}

void fields(auto& visit, EitherConst<Shard> auto& record) {
  PERF_FIELDS(number, count)
}

void fields(auto& visit, EitherConst<Environment> auto& record) {
  PERF_FIELDS(fingerprint, machine, facts)
}

void fields(auto& visit, EitherConst<MeasuredOn> auto& record) {
  fields(visit, record.environment);
  visit.or_null("host", record.host);
  PERF_FIELDS(shard, attempt, workloads)
}

void fields(auto& visit, EitherConst<ThresholdRule> auto& record) {
  visit("workload", record.workload_glob);
  PERF_FIELDS(metric, threshold, except)
}

void fields(auto& visit, EitherConst<Policy> auto& record) {
  PERF_FIELDS(threshold, alpha, alpha_share, looks, look_growth, significance_share, budget,
              min_pairs, max_pairs, pilot_pairs, warmup_steps, initial_steps, min_steps, max_steps,
              invocation_cap, new_invocations, noisy_cov, warning_alpha, warning_share, steal_share,
              pressure_share, thresholds, threshold_override, control, count, counted_invocations,
              metrics)
}

void fields(auto& visit, EitherConst<Server> auto& record) {
  PERF_FIELDS(command, ready_by, ready, timeout)
}

/// What a workload needs around its command, as the store keeps it.
void fields(auto& visit, EitherConst<Workload> auto& record) {
  PERF_FIELDS(cwd, env, prepare, serve)
}

// ---- what was seen of a workload, without its steps

void fields(auto& visit, EitherConst<TraceRecord> auto& record) {
  PERF_FIELDS(base_program, head_program, difference, audited)
}

void fields(auto& visit, EitherConst<EarlierNoise> auto& record) {
  PERF_FIELDS(workload, params)
  fields(visit, record.metric);
  PERF_FIELDS(pairs, largest)
}

void fields(auto& visit, EitherConst<MetricValue> auto& record) {
  fields(visit, record.metric);
  PERF_FIELDS(value, judge)
}

void fields(auto& visit, EitherConst<Check> auto& record) {
  PERF_FIELDS(name, passed, error, tolerance)
}

void fields(auto& visit, EitherConst<Block> auto& record) {
  PERF_FIELDS(workload, params, tokens_per_step, facts, skipped, metrics, checks)
}

// ---- one row of a report

void fields(auto& visit, EitherConst<SideStats> auto& record) {
  PERF_FIELDS(median, p90, mean, stddev, min, max, cov, invocations, steps)
}

void fields(auto& visit, EitherConst<PhaseChange> auto& record) {
  PERF_FIELDS(name, change, base, head, interval, moved, share)
}

void fields(auto& visit, EitherConst<LayoutEffect> auto& record) {
  PERF_FIELDS(label, change, interval, builds)
}

void fields(auto& visit, EitherConst<WarmupBenefit> auto& record) {
  PERF_FIELDS(first, steady, change)
}

void fields(auto& visit, EitherConst<CheckResult> auto& record) {
  PERF_FIELDS(name, base, head, base_failed, base_runs, head_failed, head_runs, new_failure, error,
              tolerance)
}

void fields(auto& visit, EitherConst<FunctionChange> auto& record) {
  PERF_FIELDS(symbol, name, object, base_share, head_share, base_seconds, head_seconds)
}

void fields(auto& visit, EitherConst<Comparison> auto& record) {
  PERF_FIELDS(workload, params, base_params)
  fields(visit, record.metric);
  PERF_FIELDS(base, head, judged, change, interval, threshold, smallest_visible, pairs, look,
              look_alpha, pairs_needed, verdict, certain, exact, p_value, pair_changes, phases,
              warmup, functions, layout, checks)
  visit.or_null("basis", record.basis);
  visit.or_null("measured_because", record.measured_because);
  visit("note_details", record.notes);
  visit("warning_details", record.warnings);
}

// ---- the report

void fields(auto& visit, EitherConst<TargetResult> auto& record) {
  auto& target = record.target;
  visit("name", target.name);
  visit("metric", target.metric);
  visit("of", target.of);
  visit.or_null("over", target.over);
  visit("of_set", target.of_set);
  visit("over_set", target.over_set);
  visit("at_least", target.at_least);
  visit("at_most", target.at_most);
  visit.or_null("size", target.size);
  visit("when", target.when);
  PERF_FIELDS(value, met)
  visit.or_null("measured_at", record.measured_at);
  visit("found", record.found);
}

void fields(auto& visit, EitherConst<FamilyMean> auto& record) {
  PERF_FIELDS(family, metric, change, interval, workloads)
}

void fields(auto& visit, EitherConst<ControlResult> auto& record) {
  PERF_FIELDS(workload)
  fields(visit, record.metric);
  PERF_FIELDS(change, interval, pairs, alarmed)
}

void fields(auto& visit, EitherConst<TradeOff> auto& record) {
  PERF_FIELDS(workload, params, seconds, bytes, quality)
}

void fields(auto& visit, EitherConst<Undecided> auto& record) {
  PERF_FIELDS(ruled_out, budget, decides)
}

void fields(auto& visit, EitherConst<Summary> auto& record) {
  PERF_FIELDS(verdict)
  for (const Verdict verdict : kVerdicts) {
    int count = value_or_empty(record.counts, verdict);
    visit(std::string(to_string(verdict)), count);
    if constexpr (!std::is_const_v<std::remove_reference_t<decltype(record)>>) {
      record.counts[verdict] = count;
    }
  }
}

/// What the run was that a report is about: known before anything is measured.
void run_fields(auto& visit, EitherConst<Report> auto& record) {
  PERF_FIELDS(id, shard, base, head, environments, policy, size, seed)
  visit.within("tool", [&](auto& tool) { tool("version", record.tool_version); });
}

/// What came of it.
void result_fields(auto& visit, EitherConst<Report> auto& record) {
  visit.or_null("generated_at", record.generated_at);
  visit.within("config", [&](auto& config) {
    config("source", record.config_source);
    config.or_null("build", record.build_source);
  });
  PERF_FIELDS(workload_facts, missing_shards, judged, measured, interrupted, budget_spent,
              nothing_ran, summary, comparisons, targets, families, trade_offs, controls, audits,
              reproduce)
  visit("warning_details", record.warnings);
  PERF_FIELDS(undecided)
}

void fields(auto& visit, EitherConst<Report> auto& record) {
  run_fields(visit, record);
  result_fields(visit, record);
}

// ---- the ledger of a ratchet

void fields(auto& visit, EitherConst<RatchetGoal> auto& record) {
  PERF_FIELDS(metric, at_least, size, workloads, benchmark)
}

void fields(auto& visit, EitherConst<GuardedSeries> auto& record) {
  PERF_FIELDS(workload, metric, gains, gain, threshold, passes)
}

// ---- the calibration

void fields(auto& visit, EitherConst<CalibratedThreshold> auto& record) {
  PERF_FIELDS(threshold, unchanged, false_alarms, mean_pairs, seconds, one_run_alarms,
              five_runs_alarms)
}

void fields(auto& visit, EitherConst<VisibleAtLook> auto& record) {
  PERF_FIELDS(pairs, change)
}

void fields(auto& visit, EitherConst<CalibratedMetric> auto& record) {
  PERF_FIELDS(workload, params)
  fields(visit, record.metric);
  PERF_FIELDS(pairs, robust_sd, sd, p95, worst, autocorrelation, block, seconds_per_pair, verdict,
              threshold, change, interval, smallest_threshold, visible, thresholds, pair_changes)
}

/// As of a report. Its warnings follow from the rest.
void run_fields(auto& visit, EitherConst<Calibration> auto& record) {
  PERF_FIELDS(id, revision, environment, size, seed, alpha, looks)
  visit.within("tool", [&](auto& tool) { tool("version", record.tool_version); });
}

void result_fields(auto& visit, EitherConst<Calibration> auto& record) {
  visit.or_null("generated_at", record.generated_at);
  PERF_FIELDS(judged, replays, measured, interrupted, series, reports, not_measured)
}

void fields(auto& visit, EitherConst<Calibration> auto& record) {
  run_fields(visit, record);
  result_fields(visit, record);
}

}  // namespace perf
