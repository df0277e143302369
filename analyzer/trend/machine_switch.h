#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "analyzer/trend/trend_series.h"
#include "schema/recorded_history.h"

namespace perf {

/// "machine: 1f2e3d4c -> 5a6b7c8d" where the machine that a series was measured on changes within 3
/// points of the point at `index`; nullopt where it does not.
///
/// A change is where a machine comes that the 10 points before did not have, or one goes that none
/// of the 10 points after has. Machines that take turns are none: pairs are made for those.
std::optional<std::string> machine_switch_at(const MeasuredSeries& measured, std::size_t index,
                                             const RecordedHistory& recorded);

}  // namespace perf
