#pragma once

#include <cstdint>
#include <optional>

#include "schema/files/descriptor.h"
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

/// Counts the instructions that the next child, and all that descends from it, retire in user mode
/// after they have executed their program, by the processor's own counter. Opened on this process
/// with `inherit` and `enable_on_exec`, so that it counts nothing until a child that was forked
/// meanwhile executes. None where the kernel or the machine gives no counter.
Descriptor count_next_child();

/// What it counted, once the child is reaped. Absent where there is no counter, where it was not on
/// the processor all the time (a part that is scaled up is an estimate, no count), and where it
/// says 0, as virtual machines without counters do.
std::optional<std::int64_t> counted_instructions(const Descriptor& counter);

}  // namespace perf
