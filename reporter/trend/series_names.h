#pragma once

#include <cstddef>
#include <map>
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
    std::set<std::string> params, fingerprints, benchmarks;
  };
  std::map<std::pair<std::string, std::string>, Seen> seen_;  ///< by workload and metric
};

/// What an anchored series is paired with: the baseline's name, else its short oid.
std::string anchor_text(const TrendSeries& series);

}  // namespace perf::reporter
