#include "analyzer/trend/trend_series.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "analyzer/samples/metric_samples.h"
#include "analyzer/statistics/centre_and_spread.h"
#include "analyzer/trend/hosts.h"

namespace perf {
namespace {

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
  std::set<std::uint32_t> positions;
  for (const MeasuredSeries& measured : line.series) {
    for (const TrendPoint& point : measured.series.points) {
      positions.insert(point.commit);
    }
  }
  line.positions.assign(positions.begin(), positions.end());
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

/// By fingerprint and host: how much it differs in each series where it does.
using OddHosts = std::map<std::pair<std::string, std::string>, std::vector<double>>;

/// The values of a series that odd hosts measured, apart, and the others' under "".
std::map<std::string, std::vector<RecordedValue>> values_by_host(
    const RecordedSeries& series, const std::vector<RecordedRun>& runs,
    const std::vector<OddHost>& odd) {
  std::map<std::string, std::vector<RecordedValue>> values;
  for (const OddHost& one : odd) {
    values[one.host];
  }
  for (const RecordedValue& value : series.values) {
    const auto apart = values.find(host_of(runs, value));
    (apart == values.end() ? values[""] : apart->second).push_back(value);
  }
  return values;
}

std::vector<Warning> warnings_of(const OddHosts& odd) {
  std::vector<Warning> warnings;
  for (const auto& [where, changes] : odd) {
    warnings.push_back(
        {WarningKind::hosts_differ,
         {{"change", median(changes)}, {"series", static_cast<double>(changes.size())}},
         {{"host", short_oid(where.second)}, {"fingerprint", short_oid(where.first)}}});
  }
  return warnings;
}

/// ln(value) of the points [begin, end) that have one.
std::vector<double> log_values(const TrendSeries& series, std::size_t begin, std::size_t end) {
  std::vector<double> y;
  y.reserve(end - begin);
  for (std::size_t i = begin; i < end; ++i) {
    if (series.points[i].value > 0 && std::isfinite(series.points[i].value)) {
      y.push_back(std::log(series.points[i].value));
    }
  }
  return y;
}

}  // namespace

namespace {

/// Makes a line of series, one after the other.
class LineMaker {
 public:
  explicit LineMaker(const std::vector<RecordedRun>& runs) : runs_(runs) {}

  void add(const RecordedSeries& one) {
    const std::vector<OddHost> hosts =
        one.anchor.empty() ? odd_hosts(one, runs_) : std::vector<OddHost>();
    for (const OddHost& host : hosts) {
      odd_[{one.fingerprint, host.host}].push_back(host.change);
    }
    if (!hosts.empty()) {
      for (const auto& [host, values] : values_by_host(one, runs_, hosts)) {
        add_series(one, host, values);
      }
    } else if (!one.values.empty()) {
      add_series(one, "", one.values);
    }
  }

  MeasuredLine finished() {
    std::ranges::stable_sort(line_.series, {}, [](const MeasuredSeries& measured) {
      const TrendSeries& series = measured.series;
      return std::tie(series.key, series.entry, series.metric.unit, series.metric.better);
    });
    number_commits(line_);
    line_.warnings = warnings_of(odd_);
    return std::move(line_);
  }

 private:
  void add_series(const RecordedSeries& one, const std::string& host,
                  const std::vector<RecordedValue>& values) {
    MeasuredSeries& measured = line_.series.emplace_back();
    measured.series.entry = one.workload;
    measured.series.metric = one.metric;
    measured.series.key = {one.name,    one.params, one.metric.name, one.fingerprint, one.anchor,
                           one.outside, host};
    add_points(values, measured);
  }

  const std::vector<RecordedRun>& runs_;
  MeasuredLine line_;
  OddHosts odd_;
};

}  // namespace

MeasuredLine measured_line(const RecordedHistory& recorded, const MoreSeries& more) {
  LineMaker maker(recorded.runs);
  for (const RecordedSeries& one : recorded.series) {
    maker.add(one);
  }
  for (std::vector<RecordedSeries> some; more && !(some = more()).empty();) {
    for (const RecordedSeries& one : some) {
      maker.add(one);
    }
  }
  return maker.finished();
}

bool may_alert(const TrendSeries& series, const Policy& policy) {
  const std::string& metric = series.key.metric;
  if (!policy.metrics.empty()) {
    return is_shown(policy, metric);
  }
  return metric == kStepTime.name || metric == kPeakRss.name ||
         names_metric(policy, series.key.workload, metric);
}

Scale scale_of(const TrendSeries& series) {
  const auto positive = std::ranges::count_if(
      series.points, [](double value) { return value > 0; }, &TrendPoint::value);
  return 2 * static_cast<std::size_t>(positive) > series.points.size() ? Scale::log : Scale::linear;
}

double level_of(const TrendSeries& series, std::size_t begin, std::size_t end) {
  const bool are_ratios = scale_of(series) == Scale::log;
  std::vector<double> values;
  for (std::size_t i = begin; i < std::min(end, series.points.size()); ++i) {
    const double value = series.points[i].value;
    if (std::isfinite(value) && (value > 0 || !are_ratios)) {
      values.push_back(value);
    }
  }
  return values.empty() ? 0 : median_in_place(values);
}

std::size_t last_segment(const TrendSeries& series) {
  return series.change_points.empty() ? 0 : series.change_points.back().index;
}

double present_level(const TrendSeries& series) {
  const std::size_t end = series.points.size();
  const std::size_t latest = end > kLevelPoints ? end - kLevelPoints : 0;
  return level_of(series, std::max(latest, last_segment(series)), end);
}

bool is_worse(const Metric& metric, double change) {
  return metric.better == Better::lower ? change > 0 : change < 0;
}

void promote_suspects(TrendSeries& series) {
  std::vector<ChangePoint>& suspects = series.suspects;
  const auto promoted =
      std::stable_partition(suspects.begin(), suspects.end(),
                            [](const ChangePoint& suspect) { return !stands(suspect.state); });
  std::move(promoted, suspects.end(), std::back_inserter(series.change_points));
  suspects.erase(promoted, suspects.end());
  std::ranges::sort(series.change_points, {}, &ChangePoint::index);
}

double log_distance(double from, double to) {
  return from > 0 && to > 0 ? std::log(to / from) : (to - from) / std::max(std::abs(from), 1e-300);
}

double log_change(double change) {
  constexpr double kLeastRatio = 1e-9;
  return std::log(std::max(1 + change, kLeastRatio));
}

std::vector<double> log_values(const TrendSeries& series) {
  return log_values(series, 0, series.points.size());
}

std::vector<double> residuals(const TrendSeries& series) {
  std::vector<double> rest;
  rest.reserve(series.points.size());
  for (std::size_t i = 0, begin = 0; i <= series.change_points.size(); ++i) {
    const bool is_last = i == series.change_points.size();
    const std::size_t end = is_last ? series.points.size() : series.change_points[i].index;
    const std::vector<double> segment = log_values(series, begin, end);
    std::vector<double> scratch = segment;
    const double centre = median_in_place(scratch);
    for (const double y : segment) {
      rest.push_back(y - centre);
    }
    begin = end;
  }
  return rest;
}

}  // namespace perf
