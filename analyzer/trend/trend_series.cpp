#include "analyzer/trend/trend_series.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "analyzer/samples/series.h"
#include "analyzer/statistics/centre_and_spread.h"

namespace perf {
namespace {

using Place = std::tuple<std::string, Params, std::string, std::string, std::string, std::string,
                         std::string, Better>;  // the key, then entry, unit and direction

Place place_of(const TrendSeries& series) {
  const SeriesKey& key = series.key;
  return {key.workload, key.params,   key.metric,         key.fingerprint,
          key.anchor,   series.entry, series.metric.unit, series.metric.better};
}

std::vector<RecordedValue> merged_values(const std::vector<const RecordedSeries*>& parts) {
  std::vector<RecordedValue> values = parts.front()->values;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    values.insert(values.end(), parts[i]->values.begin(), parts[i]->values.end());
  }
  if (parts.size() > 1) {
    std::stable_sort(
        values.begin(), values.end(),
        [](const RecordedValue& a, const RecordedValue& b) { return a.commit < b.commit; });
  }
  return values;
}

/// Commits are positions on the line here.
void add_points(const std::vector<RecordedValue>& values, MeasuredSeries& measured) {
  std::vector<double> of_commit;
  for (std::size_t begin = 0, end = 0; begin < values.size(); begin = end) {
    of_commit.clear();
    while (end < values.size() && values[end].commit == values[begin].commit) {
      of_commit.push_back(values[end++].value);
    }
    measured.series.points.push_back({values[begin].commit,
                                      static_cast<std::uint32_t>(of_commit.size()),
                                      median_in_place(of_commit)});
    measured.origins.push_back({values[end - 1].run, values[end - 1].declaration});
  }
}

/// From positions on the line to indices into the measured ones.
void number_commits(MeasuredLine& line) {
  for (const MeasuredSeries& measured : line.series) {
    for (const TrendPoint& point : measured.series.points) {
      line.positions.push_back(point.commit);
    }
  }
  std::sort(line.positions.begin(), line.positions.end());
  line.positions.erase(std::unique(line.positions.begin(), line.positions.end()),
                       line.positions.end());
  std::vector<std::uint32_t> index(line.positions.empty() ? 0 : line.positions.back() + 1);
  for (std::size_t i = 0; i < line.positions.size(); ++i) {
    index[line.positions[i]] = static_cast<std::uint32_t>(i);
  }
  for (MeasuredSeries& measured : line.series) {
    for (TrendPoint& point : measured.series.points) {
      point.commit = index[point.commit];
    }
  }
}

}  // namespace

MeasuredLine measured_line(const RecordedHistory& recorded) {
  struct Parts {
    TrendSeries series;
    std::vector<const RecordedSeries*> recorded;
  };
  std::map<Place, Parts> places;
  for (const RecordedSeries& one : recorded.series) {
    if (one.values.empty()) {
      continue;
    }
    TrendSeries series;
    series.entry = one.workload;
    series.metric = one.metric;
    series.key = {one.name, one.params, one.metric.name, one.fingerprint, one.anchor};
    Parts& parts = places[place_of(series)];
    parts.series = std::move(series);
    parts.recorded.push_back(&one);
  }
  MeasuredLine line;
  for (auto& [place, parts] : places) {
    MeasuredSeries& measured = line.series.emplace_back();
    measured.series = std::move(parts.series);
    add_points(merged_values(parts.recorded), measured);
  }
  number_commits(line);
  return line;
}

bool may_alert(const TrendSeries& series, const Policy& policy) {
  const std::string& metric = series.key.metric;
  if (!policy.metrics.empty()) {
    return is_shown(policy, metric);
  }
  return metric == kStepTime.name || metric == kPeakRss.name ||
         names_metric(policy, series.key.workload, metric);
}

}  // namespace perf
