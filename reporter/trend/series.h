#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "reporter/document.h"
#include "schema/trend.h"

namespace perf::reporter {

inline constexpr std::size_t kShortFingerprint = 8;  ///< of a machine, for people

/// What the series of a report are called: as short as tells them apart. The workload's parameters,
/// the machine and the benchmark are only said where several series would else share a name.
class SeriesNames {
 public:
  explicit SeriesNames(const TrendReport& report);

  /// "`parser`", "`parser` (size=4, machine 1f2e3d4c)", "`parser` (against release)".
  Prose workload(const TrendSeries& series) const;
  /// The same with the metric: "`parser` `step_time`".
  Prose series(const TrendSeries& series) const;

 private:
  struct Seen {
    Params common;  ///< what all of them have, and have alike
    std::set<std::string> fingerprints, benchmarks;
  };
  std::map<std::pair<std::string, std::string>, Seen> seen_;  ///< by workload and metric
};

/// What an anchored series is paired with: the baseline's name, else its short oid.
std::string anchor_text(const TrendSeries& series);

/// The unit of a series' values: the metric's, or, of a ratio to an anchor, none.
std::string unit_of(const TrendSeries& series);

/// About 40 points as block characters: the last ones, or, where a step lies further back, those
/// around it. Cut to the levels of before and after +- 4 of the noise, so that the step is seen and
/// no outlier hides it.
std::string history_line(const TrendSeries& series, const ChangePoint* around = nullptr);

/// Median of the last points, at most 10; of those after the last change point. nullopt: no points.
std::optional<double> present_level(const TrendSeries& series);

/// "1.2 %": the smallest step that would have been seen within 10 points; "-": too few points.
std::string visible_text(const TrendSeries& series);

/// Of the points [begin, end) that are numbers; nullopt: there are none.
std::optional<double> median_of(const TrendSeries& series, std::size_t begin, std::size_t end);

}  // namespace perf::reporter
