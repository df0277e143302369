#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "analyzer/trend/trend_series.h"
#include "schema/recorded_history.h"

namespace perf {

struct SearchedLine;

/// What the workloads were seen to run along a line of commits.
class ProgramHistory {
 public:
  /// `line`: position of each commit, by oid.
  ProgramHistory(const std::vector<ProgramAt>& programs, const CommitIndex& line);

  /// Ids by position on the line, empty where not known; of an anchored series only where all of
  /// them are of one machine. Nothing where none is known at all.
  std::vector<std::string> of(const TrendSeries& series) const;

 private:
  using Key = std::tuple<std::string, Params, std::string, std::string>;  // ..., fingerprint
  std::map<Key, std::map<std::size_t, std::string>> ids_{};
  std::size_t commits_;
};

/// Which of the points [begin, end) may be the first after a step at `step`, as far as the points
/// tell: the interval about it that holds `share` of the probability, every place as likely as the
/// others beforehand, both levels (medians) known. A point's distance counts up to 3 deviations, so
/// that no outlier places a step; `noise`: of a point; `spread`: how many times the noise of means
/// exceeds what points that are independent would have.
struct StepInterval {
  std::size_t first = 0, last = 0;
  std::size_t from = 0;           ///< the first place of all
  std::vector<double> weights{};  ///< from there on, in proportion to the probabilities
};
StepInterval step_interval(const std::vector<double>& y, std::size_t begin, std::size_t step,
                           std::size_t end, double noise, double spread, double share);

/// Says where the steps of a series are to be moved to, because the program changes there, and of
/// those that no program explains what changed outside: docs/trend.md has the rule.
void find_borders(MeasuredSeries& measured, const ProgramHistory& programs,
                  const SearchedLine& line);

/// Moves them, machine events aside, where they stay in order. Wants those found.
void move_to_borders(MeasuredSeries& measured);

}  // namespace perf
