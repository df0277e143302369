#include "ci/cli/kept_changes.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>

#include "analyzer/trend/trend.h"
#include "collector/git/ancestry.h"
#include "collector/git/baseline.h"

namespace perf {
namespace {

/// Measured commits on either side of a change whose raw steps stay.
constexpr std::size_t kNeighbours = 3;

using Positions = std::map<std::string, std::size_t>;  ///< of commits on the line, by oid

Positions positions_of(const std::vector<Revision>& line) {
  Positions positions;
  for (std::size_t i = 0; i < line.size(); ++i) {
    positions[line[i].oid] = i;
  }
  return positions;
}

std::set<std::string> sizes_of(const Store& store) {
  std::set<std::string> sizes;
  for (const RunSummary& run : store.runs()) {
    sizes.insert(run.size);
  }
  return sizes;
}

/// Adds the commits of points [begin, end) and of the neighbours on either side.
void add_points(const TrendReport& report, const TrendSeries& series, std::size_t begin,
                std::size_t end, std::set<std::string>& oids) {
  end = std::min(series.points.size(), end + kNeighbours);
  for (std::size_t i = begin - std::min(begin, kNeighbours); i < end; ++i) {
    oids.insert(report.commits[series.points[i].commit].oid);
  }
}

void add_alert(const TrendReport& report, const TrendSeries& series, const Alert& alert,
               const Positions& line, std::set<std::string>& oids) {
  const auto previous = line.find(alert.previous_oid), at = line.find(alert.oid);
  if (!(alert.series == series.key) || previous == line.end() || at == line.end()) {
    return;
  }
  // Index of the first point that was measured at a position or later.
  const auto first_from = [&](std::size_t position) {
    const auto found = std::find_if(
        series.points.begin(), series.points.end(),
        [&](const TrendPoint& point) { return report.positions[point.commit] >= position; });
    return static_cast<std::size_t>(found - series.points.begin());
  };
  const std::size_t begin = first_from(previous->second), end = first_from(at->second + 1);
  if (alert.kind == AlertKind::step) {
    add_points(report, series, begin, end, oids);
  } else {  // what lies between is no step
    add_points(report, series, begin, begin + 1, oids);
    add_points(report, series, first_from(at->second), end, oids);
  }
}

}  // namespace

std::vector<std::string> commits_beside_changes(const Repository& repository, const Store& store) {
  const std::vector<Revision> line =
      first_parent_line(repository, resolve_head(repository, "HEAD", {})).commits;
  const Positions positions = positions_of(line);
  const std::vector<Alert> alerts = store.alerts();
  HistoryQuery query;
  for (const Revision& commit : line) {
    query.oids.push_back(commit.oid);
  }
  std::set<std::string> oids;
  for (const std::string& size : sizes_of(store)) {
    query.size = size;
    const RecordedHistory recorded = store.load_recorded(query);
    TrendInputs inputs{recorded, line};
    inputs.replays = false;
    const TrendReport report = trend(inputs);
    for (const TrendSeries& series : report.series) {
      for (const ChangePoint& change : series.change_points) {
        add_points(report, series, change.index - 1, change.index + 1, oids);
      }
      for (const Alert& alert : alerts) {
        add_alert(report, series, alert, positions, oids);
      }
    }
  }
  return {oids.begin(), oids.end()};
}

}  // namespace perf
