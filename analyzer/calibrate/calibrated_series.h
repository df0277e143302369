#pragma once

#include <cstddef>
#include <cstdint>

#include "analyzer/calibrate/calibration_replay.h"
#include "analyzer/calibrate/naive_rules.h"
#include "analyzer/samples/standing.h"
#include "schema/calibration.h"

namespace perf {

/// A series under test, with what the report of all of them needs of it.
struct Calibrated {
  CalibratedSeries record;
  std::size_t workload = 0;  ///< index into Standing::workloads
  SeriesReplay replay;
  NaiveDistances naive;
};

/// The noise of one series, what the rule said of it, and what replays of the rule say. `ordinary`:
/// the looks of a comparison; its direction and bounds are not used. Leaves `workload` to the
/// caller.
Calibrated calibrate_series(const SeriesStanding& one, const WorkloadSamples& samples,
                            const Rule& ordinary, const Policy& policy, int replays,
                            std::uint64_t seed);

/// Whether a replay ended in a change that is not there.
bool is_alarm(const ReplayEnd& end);

/// From sums over the replays to means.
void divide(CalibratedThreshold& sums, std::size_t replays);

}  // namespace perf
