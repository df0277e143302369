#include "tests/analyzer/trend/scripted_history.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace perf::scripted {

std::string oid_at(std::size_t position) {
  const std::string number = std::to_string(position + 1);
  return std::string(8 - number.size(), '0') + number + std::string(32, 'a');
}

History history_of(std::size_t commits) {
  History history;
  for (std::size_t i = 0; i < commits; ++i) {
    Revision revision;
    revision.oid = oid_at(i);
    revision.committed_at = 1'700'000'000 + static_cast<std::int64_t>(i) * 86'400;
    revision.subject = "commit " + std::to_string(i);
    history.line.push_back(revision);
  }
  history.recorded.runs.push_back({"run-1", "2026-01-01T00:00:00Z", 0, {}});
  history.recorded.declarations.push_back({});
  return history;
}

std::vector<double> noisy(std::size_t points, double deviation, std::uint64_t seed, double level) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<double> values(points);
  for (double& value : values) {
    value = level * std::exp(deviation * normal(random));
  }
  return values;
}

std::vector<double> stepped(std::vector<double> values, std::size_t at, double change) {
  for (std::size_t i = at; i < values.size(); ++i) {
    values[i] *= 1 + change;
  }
  return values;
}

RecordedSeries& add_series(History& history, const std::string& workload,
                           const std::vector<double>& values, const std::string& fingerprint,
                           const Metric& metric, std::size_t first, std::size_t stride) {
  RecordedSeries series;
  series.workload = series.name = workload;
  series.metric = metric;
  series.fingerprint = fingerprint;
  for (std::size_t i = 0; i < values.size(); ++i) {
    series.values.push_back({static_cast<std::uint32_t>(first + i * stride), 0, 0, 0, values[i]});
  }
  history.recorded.series.push_back(series);
  return history.recorded.series.back();
}

void add_clean_series(History& history, std::size_t count, std::uint64_t seed,
                      const std::string& fingerprint) {
  for (std::size_t i = 0; i < count; ++i) {
    add_series(history, (i < 10 ? "w0" : "w") + std::to_string(i),
               noisy(history.line.size(), 0.01, 1000 * seed + i), fingerprint);
  }
}

void add_programs(History& history, const std::string& workload, std::size_t changed_at) {
  for (std::size_t i = 0; i < history.line.size(); ++i) {
    history.recorded.programs.push_back(
        {oid_at(i), "m1", workload, {}, "", i < changed_at ? "p" : "q"});
  }
}

TrendReport report_on(const History& history, const std::vector<Alert>& alerts) {
  TrendInputs inputs = history.inputs();
  inputs.replays = false;
  inputs.alerts = alerts;
  return trend(inputs);
}

std::size_t steps_in(const TrendReport& report, AlertState state) {
  std::size_t found = 0;
  for (const TrendSeries& series : report.series) {
    found += static_cast<std::size_t>(
        std::ranges::count(series.change_points, state, &ChangePoint::state));
  }
  return found;
}

History until(const History& history, std::size_t commits) {
  History cut = history;
  cut.line.resize(commits);
  for (RecordedSeries& series : cut.recorded.series) {
    std::erase_if(series.values,
                  [&](const RecordedValue& value) { return value.commit >= commits; });
  }
  return cut;
}

}  // namespace perf::scripted
