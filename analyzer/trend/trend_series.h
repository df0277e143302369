#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "analyzer/detector/levels.h"
#include "schema/recorded_history.h"
#include "schema/trend.h"
#include "schema/warning.h"

namespace perf {

/// Where a point's value comes from: the last invocation of its commit.
struct PointOrigin {
  std::uint32_t run = 0;          ///< index into RecordedHistory::runs
  std::uint32_t declaration = 0;  ///< index into RecordedHistory::declarations
};

/// Of the program from one point to the next.
enum class ProgramChange : std::uint8_t { unknown, same, changed };

/// A series as it was measured, nothing found in it yet.
struct MeasuredSeries {
  TrendSeries series;                  ///< key, entry, metric and points
  std::vector<PointOrigin> origins{};  ///< one a point
  /// One a point, until they are searched: the median over its invocations; 0: not known. Empty: of
  /// none.
  std::vector<float> tails{};
  std::set<std::size_t> moved_medians{};  ///< tails, by index, with which the median moved
  /// Change points, by number, as they are where the program changes.
  std::map<std::size_t, ChangePoint> moved{};
  std::vector<ProgramChange> programs{};  ///< before each of the last kShownPoints points
};

/// What a series measures, on whatever machine, as it is or paired with a baseline.
using Quantity =
    std::tuple<const std::string&, const Params&, const std::string&, const std::string&>;
inline Quantity quantity_of(const SeriesKey& key) {
  return {key.workload, key.params, key.metric, key.outside};
}

/// A commit that was measured on a machine.
struct MachineCommit {
  std::uint32_t commit = 0;  ///< index into MeasuredLine::positions
  std::uint32_t run = 0;     ///< that measured it, of several the last; as of PointOrigin
};

/// The series of a history, and the commits that were measured.
struct MeasuredLine {
  std::vector<std::uint32_t> positions;  ///< of the measured commits on the line, ascending
  std::vector<MeasuredSeries> series;    ///< sorted by workload, params, metric, environment
  std::vector<Warning> warnings{};       ///< hosts that differ from others of their kind
  std::map<std::string, std::vector<MachineCommit>> machines{};  ///< by fingerprint; ascending
  /// Indices into RecordedHistory::environments, in the order of the values.
  std::vector<std::uint32_t> environments{};
};

/// Searches series once their points are there, in the order of the record, with the programs of
/// their workloads. Commits are positions on the line then, also those that it writes into them; it
/// may leave points out.
using SearchSome =
    std::function<void(std::span<MeasuredSeries>, const std::vector<ProgramAt>& programs)>;

/// Points are medians over the invocations of a commit (anchored: over its pairs). A host that
/// differs from others of its fingerprint has a series of its own.
MeasuredLine measured_line(const RecordedHistory& recorded, const MoreSeries& more = {},
                           const SearchSome& search = {});

/// Uses every index of a commit in a series.
template <class Use>
void for_each_commit(TrendSeries& series, const Use& use) {
  const auto use_both = [&](auto& finding) {
    use(finding.previous);
    use(finding.commit);
  };
  std::ranges::for_each(series.points, use, &TrendPoint::commit);
  std::ranges::for_each(series.change_points, use_both);
  std::ranges::for_each(series.suspects, use_both);
  std::ranges::for_each(series.drifts, use_both);
  std::ranges::for_each(series.noise_changes, use_both);
  std::ranges::for_each(series.tails, use_both);
  if (series.trend) {
    use_both(*series.trend);
  }
}

/// Commits of points, by oid.
using CommitIndex = std::map<std::string, std::uint32_t>;

/// Whether a finding in the series may be an alert: of step_time, peak_rss and the metrics that the
/// benchmark or a threshold has judged; with --metric of what that names and nothing else.
bool may_alert(const TrendSeries& series, const Policy& policy);

/// So many points determine the level at a commit, or at the end.
inline constexpr std::size_t kLevelPoints = 10;

/// How the values of a series are compared: as ratios (those that are not positive are gaps), or as
/// differences.
Scale scale_of(const TrendSeries& series);

/// The median of the values of points [begin, end), gaps left out; 0 of none.
double level_of(const TrendSeries& series, std::size_t begin, std::size_t end);

/// Where the last stretch without a change point begins.
std::size_t last_segment(const TrendSeries& series);

/// The level at the end: the median of the last points of the last segment.
double present_level(const TrendSeries& series);

/// Whether a change means the worse for the metric.
bool is_worse(const Metric& metric, double change);

/// Makes change points of the suspects that are alerts.
void promote_suspects(TrendSeries& series);

/// ln(1 + change), for changes of ratios; large but finite where nothing is left.
double log_change(double change);

/// Standard error of the difference of two levels: medians of so many points of such noise.
double level_error(double noise, std::size_t left, std::size_t right);

/// From one level to another, as log_change of the relative change.
double log_distance(double from, double to);

/// ln(value) of the points, oldest first; those that are not positive or not finite are left out.
std::vector<double> log_values(const TrendSeries& series);

/// The same less the median of their segment: what is left where the steps found are taken out.
std::vector<double> residuals(const TrendSeries& series);

}  // namespace perf
