#pragma once

#include <cstdint>
#include <optional>

#include "schema/files/descriptor.h"
#include "schema/machine_state.h"

namespace perf {

/// Opens a counter of instructions in user mode on this process, as `--count` does, and checks
/// whether it counts: on virtual machines it may stay at 0.
std::optional<EventAccess> try_counters();

/// Opens the software clock of `perf record -e cpu-clock`.
std::optional<EventAccess> try_sampling();

/// The meaning of an error of perf_event_open(2). Absent for 0 and for errors that do not depend on
/// the machine (no descriptors, no memory).
std::optional<EventAccess> access_after(int error);

/// Opens the processor's counter of the instructions that the next child and its descendants retire
/// in user mode after exec. On this process with `inherit` and `enable_on_exec`, so that counting
/// begins when a child that was forked meanwhile executes its program. None where the kernel or the
/// machine has no counter.
Descriptor count_next_child();

/// Its count, once the child is reaped. Absent without a counter, where it was not on the processor
/// all the time (scaling a part up is only an estimate), and for 0, the value on virtual machines
/// without counters.
std::optional<std::int64_t> counted_instructions(const Descriptor& counter);

}  // namespace perf
