#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "analyzer/show/views.h"
#include "analyzer/statistics/centre_and_spread.h"

namespace perf {
namespace {

std::string machine_of(const RecordedHistory& recorded, const std::string& fingerprint) {
  for (const Environment& environment : recorded.environments) {
    const auto model = environment.machine.find("cpu_model");
    if (environment.fingerprint == fingerprint && model != environment.machine.end()) {
      return model->second;
    }
  }
  return {};
}

void summarize(const std::vector<double>& values, ShownSeries& shown) {
  const auto [min, max] = std::minmax_element(values.begin(), values.end());
  shown.min = *min;
  shown.max = *max;
  const CentreAndSpread found = centre_and_spread(values);
  shown.median = found.centre;
  if (found.count > 1 && found.centre != 0) {
    shown.noise = found.spread / std::abs(found.centre);
  }
}

ShownSeries shown_series(const RecordedSeries& series, const RecordedHistory& recorded,
                         const std::string& size) {
  ShownSeries shown;
  shown.workload = series.name;
  shown.params = series.params;
  shown.metric = series.metric;
  shown.size = size;
  shown.fingerprint = series.fingerprint;
  shown.machine = machine_of(recorded, series.fingerprint);
  std::set<std::uint32_t> runs;
  std::vector<double> values;
  for (const RecordedValue& value : series.values) {
    values.push_back(value.value);
    runs.insert(value.run);
  }
  shown.processes = static_cast<int>(values.size());
  shown.runs = static_cast<int>(runs.size());
  summarize(values, shown);
  return shown;
}

}  // namespace

std::vector<ShownSeries> series_at_revision(
    const std::vector<std::pair<std::string, RecordedHistory>>& recorded) {
  std::vector<ShownSeries> all;
  for (const auto& [size, history] : recorded) {
    for (const RecordedSeries& series : history.series) {
      // Ratios to an anchor are no values of this commit.
      if (series.anchor.empty() && !series.values.empty()) {
        all.push_back(shown_series(series, history, size));
      }
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const ShownSeries& a, const ShownSeries& b) {
    return std::tie(a.workload, a.metric.name, a.size, a.params, a.fingerprint) <
           std::tie(b.workload, b.metric.name, b.size, b.params, b.fingerprint);
  });
  return all;
}

}  // namespace perf
