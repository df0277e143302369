#include "collector/process/instruction_counter.h"

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace perf {
namespace {

/// What read(2) gives of an event with this read_format.
struct CounterReading {
  std::uint64_t value = 0;
  std::uint64_t enabled = 0;  ///< ns
  std::uint64_t running = 0;  ///< ns of them on the processor
};

Descriptor open_event() {
  perf_event_attr event{};
  event.size = sizeof event;
  event.type = PERF_TYPE_HARDWARE;
  event.config = PERF_COUNT_HW_INSTRUCTIONS;
  event.disabled = 1;
  event.inherit = 1;
  event.enable_on_exec = 1;
  event.exclude_kernel =
      1;  // what an unprivileged process may count, and what the program asks for
  event.exclude_hv = 1;
  event.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  constexpr pid_t kThisProcess = 0;
  constexpr int kAnyProcessor = -1, kNoGroup = -1;
  return Descriptor(static_cast<int>(syscall(SYS_perf_event_open, &event, kThisProcess,
                                             kAnyProcessor, kNoGroup, PERF_FLAG_FD_CLOEXEC)));
}

}  // namespace

InstructionCounter::InstructionCounter() : event_(open_event()) {}

std::optional<std::int64_t> InstructionCounter::read() const {
  CounterReading reading;
  if (!event_ || ::read(event_.number(), &reading, sizeof reading) != sizeof reading ||
      reading.value == 0 || reading.running != reading.enabled) {
    return std::nullopt;
  }
  return static_cast<std::int64_t>(reading.value);
}

}  // namespace perf
