#include "collector/machine/event_access.h"

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

#include <cerrno>

namespace perf {
namespace {

/// The result of read(2) for an event with this read_format.
struct CounterReading {
  std::uint64_t value = 0;
  std::uint64_t enabled = 0;  ///< ns
  std::uint64_t running = 0;  ///< ns of them on the processor
};

/// An event in user mode, which an unprivileged process may count, not yet enabled.
perf_event_attr event_of(std::uint32_t type, std::uint64_t config) {
  perf_event_attr event{};
  event.size = sizeof event;
  event.type = type;
  event.config = config;
  event.disabled = 1;
  event.exclude_kernel = 1;
  event.exclude_hv = 1;
  return event;
}

/// On this process; none, with errno, on failure.
Descriptor open_event(perf_event_attr event) {
  constexpr pid_t kThisProcess = 0;
  constexpr int kAnyProcessor = -1, kNoGroup = -1;
  return Descriptor(static_cast<int>(syscall(SYS_perf_event_open, &event, kThisProcess,
                                             kAnyProcessor, kNoGroup, PERF_FLAG_FD_CLOEXEC)));
}

/// The event's count of a little work.
std::uint64_t count_with(int event) {
  ioctl(event, PERF_EVENT_IOC_ENABLE, 0);
  volatile int work = 0;
  for (int i = 0; i < 1000; ++i) {
    work = work + i;
  }
  ioctl(event, PERF_EVENT_IOC_DISABLE, 0);
  std::uint64_t count = 0;
  return read(event, &count, sizeof count) == sizeof count ? count : 0;
}

}  // namespace

std::optional<EventAccess> access_after(int error) {
  switch (error) {
    case EACCES:
    case EPERM:
      return EventAccess::forbidden;
    case ENOENT:
    case ENODEV:
    case ENOSYS:
    case EOPNOTSUPP:
      return EventAccess::absent;
    default:
      return std::nullopt;
  }
}

std::optional<EventAccess> try_counters() {
  const Descriptor event = open_event(event_of(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS));
  if (!event) {
    return access_after(errno);
  }
  return count_with(event.number()) > 0 ? EventAccess::available : EventAccess::absent;
}

std::optional<EventAccess> try_sampling() {
  const Descriptor event = open_event(event_of(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK));
  return event ? EventAccess::available : access_after(errno);
}

Descriptor count_next_child() {
  perf_event_attr event = event_of(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);
  event.inherit = 1;
  event.enable_on_exec = 1;
  event.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  return open_event(event);
}

std::optional<std::int64_t> counted_instructions(const Descriptor& counter) {
  CounterReading reading;
  if (!counter || read(counter.number(), &reading, sizeof reading) != sizeof reading ||
      reading.value == 0 || reading.running != reading.enabled) {
    return std::nullopt;
  }
  return static_cast<std::int64_t>(reading.value);
}

}  // namespace perf
