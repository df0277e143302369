#include "collector/machine/event_access.h"

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstdint>

#include "schema/files/descriptor.h"

namespace perf {
namespace {

/// An event of this process, in user mode, not yet enabled; none, with errno, where it cannot be
/// opened.
Descriptor open_event(std::uint32_t type, std::uint64_t config) {
  perf_event_attr event{};
  event.size = sizeof event;
  event.type = type;
  event.config = config;
  event.disabled = 1;
  event.exclude_kernel = 1;
  event.exclude_hv = 1;
  return Descriptor(
      static_cast<int>(syscall(SYS_perf_event_open, &event, 0, -1, -1, PERF_FLAG_FD_CLOEXEC)));
}

/// What the event counts over a little work.
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
  const Descriptor event = open_event(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);
  if (!event) {
    return access_after(errno);
  }
  return count_with(event.number()) > 0 ? EventAccess::available : EventAccess::absent;
}

std::optional<EventAccess> try_sampling() {
  const Descriptor event = open_event(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
  return event ? EventAccess::available : access_after(errno);
}

}  // namespace perf
