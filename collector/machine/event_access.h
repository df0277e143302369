#pragma once

#include <optional>

#include "schema/machine_state.h"

namespace perf {

/// Opens a counter of instructions in user mode on this process, as `--count` does, and sees
/// whether it counts: virtual machines may open one and leave it at 0.
std::optional<EventAccess> try_counters();

/// Opens the software clock that `perf record -e cpu-clock` samples by.
std::optional<EventAccess> try_sampling();

/// What an error of perf_event_open(2) means. Absent for 0 and for errors that say nothing about
/// the machine (no descriptors, no memory).
std::optional<EventAccess> access_after(int error);

}  // namespace perf
