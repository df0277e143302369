#include "schema/calibration.h"

#include <algorithm>
#include <optional>
#include <string>

#include "schema/error.h"
#include "schema/store/json_text.h"
#include "schema/store/records.h"
#include "schema/store/stored_values.h"

namespace perf::store {
namespace {

using Key = std::optional<std::int64_t>;

void insert_thresholds(Connection& connection, std::int64_t calibration, const Key& series,
                       const std::vector<CalibratedThreshold>& thresholds) {
  for (std::size_t i = 0; i < thresholds.size(); ++i) {
    const CalibratedThreshold& at = thresholds[i];
    connection.run(
        "INSERT INTO calibrated_threshold (calibration, series, idx, threshold, unchanged, "
        "false_alarms, mean_pairs, seconds, one_run_alarms, five_runs_alarms) VALUES (?1, ?2, ?3, "
        "?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        calibration, series, i, at.threshold, at.unchanged, at.false_alarms, at.mean_pairs,
        at.seconds, at.one_run_alarms, at.five_runs_alarms);
  }
}

void insert_series(Connection& connection, std::int64_t calibration, std::size_t idx,
                   const CalibratedSeries& series) {
  std::optional<std::string_view> verdict;
  if (series.verdict) {
    verdict = to_string(*series.verdict);
  }
  std::optional<double> low, high;
  if (series.interval) {
    low = series.interval->low;
    high = series.interval->high;
  }
  const std::int64_t key = connection.insert(
      "INSERT INTO calibrated_series (calibration, idx, workload, params, metric, pairs, "
      "robust_sd, "
      "sd, p95, worst, autocorrelation, block, seconds_per_pair, verdict, threshold, change, "
      "interval_low, interval_high, smallest_threshold, pair_changes) VALUES (?1, ?2, ?3, ?4, ?5, "
      "?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20)",
      calibration, idx, series.workload, to_json(series.params),
      intern_metric(connection, series.metric), series.pairs, series.robust_sd, series.sd,
      series.p95, series.worst, series.autocorrelation, series.block, series.seconds_per_pair,
      verdict, series.threshold, series.change, low, high, series.smallest_threshold,
      to_json(series.pair_changes));
  for (std::size_t i = 0; i < series.visible.size(); ++i) {
    connection.run(
        "INSERT INTO calibrated_look (series, idx, pairs, change) VALUES (?1, ?2, ?3, ?4)", key, i,
        series.visible[i].pairs, series.visible[i].change);
  }
  insert_thresholds(connection, calibration, key, series.thresholds);
}

std::vector<CalibratedThreshold> load_thresholds(Connection& connection, std::int64_t calibration,
                                                 const Key& series) {
  std::vector<CalibratedThreshold> found;
  Statement rows = connection.query(
      "SELECT threshold, unchanged, false_alarms, mean_pairs, seconds, one_run_alarms, "
      "five_runs_alarms FROM calibrated_threshold WHERE calibration = ?1 AND series IS ?2 "
      "ORDER BY idx",
      calibration, series);
  while (rows.next()) {
    CalibratedThreshold& at = found.emplace_back();
    rows.read(at.threshold, at.unchanged, at.false_alarms, at.mean_pairs, at.seconds,
              at.one_run_alarms, at.five_runs_alarms);
  }
  return found;
}

std::optional<Verdict> verdict_of(const std::optional<std::string>& word) {
  const auto found = std::find_if(kVerdicts.begin(), kVerdicts.end(), [&word](Verdict verdict) {
    return word && to_string(verdict) == *word;
  });
  if (word && found == kVerdicts.end()) {
    throw Error("the store holds an unknown verdict", *word,
                "it was not written by this program; do not use it");
  }
  return word ? std::optional<Verdict>(*found) : std::nullopt;
}

std::vector<std::int64_t> load_series(Connection& connection, std::int64_t calibration,
                                      std::vector<CalibratedSeries>& series) {
  std::vector<std::int64_t> keys;
  Statement rows = connection.query(
      "SELECT s.key, s.workload, s.params, m.name, m.unit, m.better = 'higher', s.pairs, "
      "s.robust_sd, s.sd, s.p95, s.worst, s.autocorrelation, s.block, s.seconds_per_pair, "
      "s.verdict, s.threshold, s.change, s.interval_low, s.interval_high, s.smallest_threshold, "
      "s.pair_changes FROM calibrated_series AS s JOIN metric AS m ON m.key = s.metric "
      "WHERE s.calibration = ?1 ORDER BY s.idx",
      calibration);
  while (rows.next()) {
    CalibratedSeries& one = series.emplace_back();
    std::int64_t key = 0;
    std::string params, changes;
    std::optional<std::string> verdict;
    std::optional<double> low, high;
    bool higher = false;
    rows.read(key, one.workload, params, one.metric.name, one.metric.unit, higher, one.pairs,
              one.robust_sd, one.sd, one.p95, one.worst, one.autocorrelation, one.block,
              one.seconds_per_pair, verdict, one.threshold, one.change, low, high,
              one.smallest_threshold, changes);
    one.metric.better = higher ? Better::higher : Better::lower;
    one.params = params_from_json(params);
    one.pair_changes = numbers_from_json(changes);
    one.verdict = verdict_of(verdict);
    if (low && high) {
      one.interval = Interval{*low, *high};
    }
    keys.push_back(key);
  }
  return keys;
}

void load_looks(Connection& connection, std::int64_t series, std::vector<VisibleAtLook>& visible) {
  Statement rows = connection.query(
      "SELECT pairs, change FROM calibrated_look WHERE series = ?1 ORDER BY idx", series);
  while (rows.next()) {
    VisibleAtLook& at = visible.emplace_back();
    rows.read(at.pairs, at.change);
  }
}

void load_machine(Connection& connection, std::int64_t environment,
                  std::map<std::string, std::string>& machine) {
  Statement rows = connection.query(
      "SELECT name, value FROM environment_fact WHERE environment = ?1", environment);
  for (std::string name, value; rows.next();) {
    rows.read(name, value);
    machine[name] = value;
  }
}

void load_parents(Connection& connection, Revision& revision) {
  Statement rows = connection.query(
      "SELECT p.oid FROM parent AS p JOIN revision AS r ON r.key = p.revision WHERE r.oid = ?1 "
      "ORDER BY p.idx",
      revision.oid);
  while (rows.next()) {
    rows.read(revision.parents.emplace_back());
  }
}

void load_facts(Connection& connection, std::int64_t run,
                std::map<std::string, std::string>& facts) {
  Statement rows = connection.query("SELECT name, value FROM run_fact WHERE run = ?1", run);
  for (std::string name, value; rows.next();) {
    rows.read(name, value);
    facts[name] = value;
  }
}

}  // namespace

void insert_calibration(Connection& connection, std::int64_t run, const Calibration& calibration) {
  if (connection.value<std::int64_t>("SELECT key FROM calibration WHERE run = ?1", run)) {
    throw Error("this run already has its calibration", calibration.id,
                "what is stored is never replaced");
  }
  const std::int64_t key = connection.insert(
      "INSERT INTO calibration (run, generated_at, judged, replays, measured, interrupted, "
      "not_measured) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
      run, calibration.generated_at, calibration.judged, calibration.replays, calibration.measured,
      calibration.interrupted, to_json(calibration.not_measured));
  for (std::size_t i = 0; i < calibration.series.size(); ++i) {
    insert_series(connection, key, i, calibration.series[i]);
  }
  insert_thresholds(connection, key, std::nullopt, calibration.reports);
}

std::optional<Calibration> load_calibration(Connection& connection, const std::string& fingerprint,
                                            const std::string& size) {
  Calibration calibration;
  std::int64_t key = 0, run = 0, environment = 0;
  std::string not_measured;
  {
    Statement rows = connection.query(
        "SELECT c.key, run.key, e.key, run.id, c.generated_at, run.tool_version, r.oid, "
        "r.committed_at, r.author, r.subject, run.head_name, run.head_rule, run.head_dirty, "
        "e.fingerprint, run.size, run.seed, run.alpha, run.looks, c.judged, c.replays, c.measured, "
        "c.interrupted, c.not_measured FROM calibration AS c JOIN run ON run.key = c.run "
        "JOIN environment AS e ON e.key = run.environment JOIN revision AS r ON r.key = run.head "
        "WHERE e.fingerprint = ?1 AND (?2 = '' OR run.size = ?2) ORDER BY c.key DESC LIMIT 1",
        fingerprint, size);
    if (!rows.next()) {
      return std::nullopt;
    }
    Revision& revision = calibration.revision;
    rows.read(key, run, environment, calibration.id, calibration.generated_at,
              calibration.tool_version, revision.oid, revision.committed_at, revision.author,
              revision.subject, revision.name, revision.rule, revision.dirty,
              calibration.environment.fingerprint, calibration.size, calibration.seed,
              calibration.alpha, calibration.looks, calibration.judged, calibration.replays,
              calibration.measured, calibration.interrupted, not_measured);
  }
  require_run_id(calibration.id);
  require_oid(calibration.revision.oid);
  require_size(calibration.size);
  calibration.not_measured = lines_from_json(not_measured);
  load_parents(connection, calibration.revision);
  load_machine(connection, environment, calibration.environment.machine);
  load_facts(connection, run, calibration.environment.facts);
  const std::vector<std::int64_t> keys = load_series(connection, key, calibration.series);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    load_looks(connection, keys[i], calibration.series[i].visible);
    calibration.series[i].thresholds = load_thresholds(connection, key, keys[i]);
  }
  calibration.reports = load_thresholds(connection, key, std::nullopt);
  return calibration;
}

}  // namespace perf::store
