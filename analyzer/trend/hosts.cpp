#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "analyzer/statistics/centre_and_spread.h"
#include "analyzer/trend/internal.h"
#include "schema/selection.h"
#include "schema/text/lists.h"

namespace perf {
namespace {

constexpr std::size_t kLeastNeighbours = 12;
constexpr int kRounds = 20;
constexpr double kLimit = 7;              ///< z
constexpr double kLeastDifference = .01;  ///< of ln
constexpr double kLeastSpread = 1e-4;     ///< of ln: values that repeat are not infinitely certain

/// What one host measured at one commit.
struct HostPoint {
  std::size_t host = 0;  ///< index into HostPoints::hosts
  double y = 0;          ///< ln of the median
};
struct HostPoints {
  std::vector<std::string> hosts;
  std::vector<HostPoint> points;
};

/// Whether all values, as in most histories, are of one host.
bool has_one_host(const RecordedSeries& series, const std::vector<RecordedRun>& runs) {
  return std::ranges::all_of(series.values, [&](const RecordedValue& value) {
    return value.run == series.values.front().run ||
           host_of(runs, value) == host_of(runs, series.values.front());
  });
}

HostPoints points_of(const RecordedSeries& series, const std::vector<RecordedRun>& runs) {
  HostPoints found;
  for (std::size_t begin = 0, end = 0; begin < series.values.size(); begin = end) {
    const RecordedValue& first = series.values[begin];
    const std::string& host = host_of(runs, first);
    std::vector<double> values;
    while (end < series.values.size() && series.values[end].commit == first.commit &&
           host_of(runs, series.values[end]) == host) {
      values.push_back(series.values[end++].value);
    }
    if (const double middle = median_in_place(values); middle > 0 && !host.empty()) {
      const auto place = std::ranges::find(found.hosts, host);
      found.points.push_back(
          {static_cast<std::size_t>(place - found.hosts.begin()), std::log(middle)});
      if (place == found.hosts.end()) {
        found.hosts.push_back(host);
      }
    }
  }
  return found;
}

/// How far ln lies from where it would be on other hosts, one a host.
using Offsets = std::vector<double>;

/// A host's points less the mean of their neighbours that others measured, the offsets of those
/// taken off.
std::vector<double> differences(const std::vector<HostPoint>& points, std::size_t host,
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
        sum += points[beside].y - offsets[points[beside].host];
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
  std::vector<double> all =
      mapped(points, [&](const HostPoint& point) { return offsets[point.host]; });
  return nth_in_place(all, all.size() / 2);
}

/// Each host's follows from its neighbours', over and over: medians, so that a step of the program
/// counts for little.
Offsets offsets_of(const HostPoints& all) {
  Offsets offsets(all.hosts.size());
  for (int round = 0; round < kRounds; ++round) {
    for (std::size_t host = 0; host < offsets.size(); ++host) {
      const std::vector<double> found = differences(all.points, host, offsets);
      offsets[host] = found.size() < kLeastNeighbours ? 0 : median(found);
    }
  }
  const double middle = middle_offset(all.points, offsets);
  for (double& offset : offsets) {
    offset -= middle;
  }
  return offsets;
}

}  // namespace

const std::string& host_of(const std::vector<RecordedRun>& runs, const RecordedValue& value) {
  static const std::string kUnknown;
  return value.run < runs.size() ? runs[value.run].host : kUnknown;
}

std::vector<OddHost> odd_hosts(const RecordedSeries& series, const std::vector<RecordedRun>& runs) {
  if (has_one_host(series, runs)) {
    return {};
  }
  const HostPoints all = points_of(series, runs);
  if (all.points.size() < kLeastNeighbours) {
    return {};
  }
  std::vector<OddHost> odd;
  const Offsets offsets = offsets_of(all);
  for (std::size_t host = 0; host < offsets.size(); ++host) {
    const CentreAndSpread d = centre_and_spread(differences(all.points, host, offsets));
    const double error =
        kMedianError * std::max(d.spread, kLeastSpread) / std::sqrt(static_cast<double>(d.count));
    if (d.count >= kLeastNeighbours && std::abs(d.centre) >= kLeastDifference &&
        std::abs(offsets[host]) >= kLeastDifference && std::abs(d.centre) > kLimit * error) {
      odd.push_back({all.hosts[host], std::expm1(d.centre)});
    }
  }
  return odd;
}

}  // namespace perf
