#include "analyzer/trend/hosts.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "analyzer/statistics/centre_and_spread.h"

namespace perf {
namespace {

constexpr std::size_t kLeastNeighbours = 12;
constexpr int kRounds = 20;
constexpr double kLimit = 7;              ///< z
constexpr double kLeastDifference = .01;  ///< of ln
constexpr double kLeastSpread = 1e-4;     ///< of ln: values that repeat are not infinitely certain

/// What one host measured at one commit.
struct HostPoint {
  std::string host;
  double y = 0;  ///< ln of the median
};

std::vector<HostPoint> points_of(const RecordedSeries& series,
                                 const std::vector<RecordedRun>& runs) {
  std::vector<HostPoint> points;
  for (std::size_t begin = 0, end = 0; begin < series.values.size(); begin = end) {
    const RecordedValue& first = series.values[begin];
    const std::string host = host_of(runs, first);
    std::vector<double> values;
    while (end < series.values.size() && series.values[end].commit == first.commit &&
           host_of(runs, series.values[end]) == host) {
      values.push_back(series.values[end++].value);
    }
    if (const double middle = median_in_place(values); middle > 0 && !host.empty()) {
      points.push_back({host, std::log(middle)});
    }
  }
  return points;
}

/// How far ln lies from where it would be on other hosts, by host.
using Offsets = std::map<std::string, double>;

/// A host's points less the mean of their neighbours that others measured, the offsets of those
/// taken off.
std::vector<double> differences(const std::vector<HostPoint>& points, const std::string& host,
                                const Offsets& offsets) {
  std::vector<double> found;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points[i].host != host) {
      continue;
    }
    double sum = 0;
    int count = 0;
    for (const std::size_t beside : {i - 1, i + 1}) {  // i - 1 of the first is beyond the end
      if (beside < points.size() && points[beside].host != host) {
        sum += points[beside].y - offsets.at(points[beside].host);
        ++count;
      }
    }
    if (count > 0) {
      found.push_back(points[i].y - sum / count);
    }
  }
  return found;
}

/// The offset that half of the points have at most: that of the host that most are like.
double middle_offset(const std::vector<HostPoint>& points, const Offsets& offsets) {
  std::vector<double> all;
  for (const HostPoint& point : points) {
    all.push_back(offsets.at(point.host));
  }
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  std::ranges::nth_element(all, middle);
  return *middle;
}

/// Each host's follows from its neighbours', over and over: medians, so that a step of the program
/// counts for little.
Offsets offsets_of(const std::vector<HostPoint>& points) {
  Offsets offsets;
  for (const HostPoint& point : points) {
    offsets[point.host] = 0;
  }
  for (int round = 0; round < kRounds; ++round) {
    for (auto& [host, offset] : offsets) {
      const std::vector<double> found = differences(points, host, offsets);
      offset = found.size() < kLeastNeighbours ? 0 : median(found);
    }
  }
  const double middle = middle_offset(points, offsets);
  for (auto& [host, offset] : offsets) {
    offset -= middle;
  }
  return offsets;
}

}  // namespace

std::string host_of(const std::vector<RecordedRun>& runs, const RecordedValue& value) {
  return value.run < runs.size() ? runs[value.run].host : std::string();
}

std::vector<OddHost> odd_hosts(const RecordedSeries& series, const std::vector<RecordedRun>& runs) {
  const std::vector<HostPoint> points = points_of(series, runs);
  if (points.size() < kLeastNeighbours) {
    return {};
  }
  std::vector<OddHost> odd;
  const Offsets offsets = offsets_of(points);
  for (const auto& [host, offset] : offsets) {
    const CentreAndSpread d = centre_and_spread(differences(points, host, offsets));
    const double error =
        kMedianError * std::max(d.spread, kLeastSpread) / std::sqrt(static_cast<double>(d.count));
    if (d.count >= kLeastNeighbours && std::abs(d.centre) >= kLeastDifference &&
        std::abs(offset) >= kLeastDifference && std::abs(d.centre) > kLimit * error) {
      odd.push_back({host, std::expm1(d.centre)});
    }
  }
  return odd;
}

}  // namespace perf
