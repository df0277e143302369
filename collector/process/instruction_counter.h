#pragma once

#include <cstdint>
#include <optional>

#include "schema/files/descriptor.h"

namespace perf {

/// Counts the instructions that the next child, and all that descends from it, retire in user mode
/// after they have executed their program, by the processor's own counter (perf_event_open(2)).
/// Opened on this process with `inherit` and `enable_on_exec`, so that it counts nothing until a
/// child that was forked meanwhile executes.
class InstructionCounter {
 public:
  /// Where the kernel or the machine gives no counter, it counts nothing and says so when read.
  InstructionCounter();

  /// The count, once the child is reaped. Absent where there is no counter, where it was not on the
  /// processor all the time (a part that is scaled up is an estimate, no count), and where it says
  /// 0, as virtual machines without counters do.
  std::optional<std::int64_t> read() const;

 private:
  Descriptor event_;
};

}  // namespace perf
