#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "schema/environment.h"
#include "schema/metric.h"
#include "schema/param.h"
#include "schema/report.h"
#include "schema/revision.h"
#include "schema/verdict.h"
#include "schema/warning.h"

namespace perf {

/// The verdicts of identical code at one threshold, from replays of the rule on the measured noise;
/// of one series, or of a whole report of all of them.
struct CalibratedThreshold {
  double threshold = 0;     ///< relative
  double unchanged = 0;     ///< share of replays: ended unchanged; of a report: every row did
  double false_alarms = 0;  ///< share: called regressed or improved; of a report: any row was
  double mean_pairs = 0;    ///< to the verdict, or to the last look; of a report: of all workloads
  double seconds = 0;       ///< s of measuring that these pairs take
  /// The same noise under rules that compare two numbers with the threshold, as shares of the
  /// moments of this run; of a report: moments with an alarm of any series. One run a side, next to
  /// each other; and the means of five runs of one side and then five of the other.
  std::optional<double> one_run_alarms, five_runs_alarms;
};

/// The smallest change that one look at so many pairs can see.
struct VisibleAtLook {
  int pairs = 0;
  double change = 0;  ///< half the interval's width, relative: the median over the replays
};

/// The noise of one metric of one workload, base against itself.
struct CalibratedMetric {
  std::string workload;
  Params params;
  Metric metric;
  int pairs = 0;  ///< measured
  /// Of the pair differences d = ln(second/first): 1.4826 x the median distance from their centre,
  /// the standard deviation, the 95th percentile of |d|, and the largest |d|.
  double robust_sd = 0, sd = 0, p95 = 0, worst = 0;
  std::optional<double> autocorrelation;  ///< at lag 1; null where all are equal
  int block = 1;  ///< pairs that the replays draw together, 1 where they seem independent
  double seconds_per_pair = 0;     ///< s: both processes of a pair
  std::optional<Verdict> verdict;  ///< of this run
  double threshold = 0;            ///< of that verdict
  std::optional<double> change;
  std::optional<Interval> interval;
  std::optional<double> smallest_threshold;  ///< at which 95 % of the replays end unchanged
  std::vector<VisibleAtLook> visible;        ///< one a look
  std::vector<CalibratedThreshold> thresholds;
  std::vector<double> pair_changes;  ///< exp(d) - 1, in the order measured
};

/// A/A: one revision against itself on one machine, and the consequences for comparisons there.
struct Calibration {
  std::string id;            ///< of the run that measured it
  std::string generated_at;  ///< UTC, ISO 8601
  std::string tool_version;
  Revision revision;
  Environment environment;
  std::string size;
  std::uint64_t seed = 0;
  double alpha = 0;
  int looks = 0;        ///< K
  int judged = 0;       ///< m
  int replays = 0;      ///< for each series and threshold
  double measured = 0;  ///< s
  bool interrupted = false;
  std::vector<CalibratedMetric> series;      ///< sorted by workload, then metric
  std::vector<CalibratedThreshold> reports;  ///< of a report of all these series
  std::vector<std::string> not_measured;     ///< workloads, and why: "parser: did not build"
  std::vector<Warning> warnings;             ///< they follow from the rest: not stored
};

}  // namespace perf
