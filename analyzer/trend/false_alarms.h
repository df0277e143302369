#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/trend/trend_series.h"
#include "schema/trend.h"

namespace perf {

/// How long the replays are in all, points; one replay of every series at least, up to this.
inline constexpr std::uint64_t kReplayedPoints = 200'000;

/// Runs the detector on series in which nothing changes, and which are noisy as these are: what is
/// left of each when the medians of its segments are taken away, drawn anew in blocks of
/// neighbours that go round the end (the moving blocks of Kuensch, Annals of Statistics 17 (1989),
/// 1217-1241, made circular by Politis & Romano, 1992). Series are taken in turn, evenly spread,
/// until kReplayedPoints are replayed; the seed is fixed, so that the same history gives the same
/// rate. Wants the series searched.
FalseAlarmRate false_alarm_rate(const std::vector<MeasuredSeries>& series, const Policy& policy);

}  // namespace perf
