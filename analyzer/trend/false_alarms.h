#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "schema/metric.h"
#include "schema/policy.h"
#include "schema/trend.h"

namespace perf {

/// How long the replays are in all, points; one replay of every series at least, up to this.
inline constexpr std::uint64_t kReplayedPoints = 200'000;
/// How much is searched in replays of nights, points: each night a whole series. About 0.3 s of
/// processor time.
inline constexpr std::uint64_t kNightlySearched = 2'000'000;
/// Replays of nights are so long at most, and so many of the last nights are searched.
inline constexpr std::size_t kNightlyStretch = 200;
inline constexpr std::size_t kNightsSearched = 100;

/// What is replayed: noise of some of the series that may alert, every one where they are few.
class NoiseSample {
 public:
  explicit NoiseSample(const Policy& policy) : policy_(policy) {}

  /// Needs the series searched, and its points whole.
  void add(const TrendSeries& series);

  /// Runs the detector on series in which nothing changes, and which are noisy as those are: what
  /// is left of each when the medians of its segments are taken away, drawn anew in blocks of
  /// neighbours that go round the end (the moving blocks of Kuensch, Annals of Statistics 17
  /// (1989), 1217-1241, made circular by Politis & Romano, 1992). Series are taken in turn, until
  /// kReplayedPoints are replayed; the seed is fixed, so that the same history gives the same rate.
  ///
  /// A report every night sees more: each night searches another prefix, and a step that only some
  /// of them show was an alert all the same. So stretches of up to kNightlyStretch points are
  /// replayed night by night. A step for the worse counts when it is first seen, unless it is over
  /// by then or lies within kWobble points of one that was seen before; those of the first night
  /// searched, where that is not the series' first, do not. Slopes and drifts are not searched.
  FalseAlarmRate rate() const;

 private:
  struct Noise {
    std::vector<double> values;  ///< of ln, about the medians
    std::size_t points = 0;      ///< of the series
    Metric metric;
  };

  FalseAlarmRate replayed(std::size_t which, std::uint64_t replays) const;
  void add_nights(FalseAlarmRate& rate) const;

  Policy policy_;
  std::uint64_t points_ = 0;  ///< of all series
  std::size_t series_ = 0;    ///< so many
  std::size_t stride_ = 1;    ///< one in so many is in the sample
  std::size_t held_ = 0;      ///< points of those
  std::vector<Noise> sample_{};
};

/// Where nothing changes, so many alerts per 1,000 points reach this much evidence (of a step, in
/// standard errors) on any of the nights searched: half as many with 1.3 more of it.
/// Fitted to replays of series of 50, 120 and 300 points in equal shares of the eight natures of
/// noise of docs/detector.md (`trend_figures` prints them beside it): series of white noise alone
/// raise a tenth, of sticky modes five times as many. kLeastFalseAlarms at least.
double false_alarms_as_clear(double evidence);

}  // namespace perf
