#include "workloads/program/memory.h"

#include <fmt/format.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <fstream>
#include <limits>

#include "workloads/program/error.h"

namespace perf::workloads {

std::size_t available_memory() {
  std::ifstream file("/proc/meminfo");
  std::string name;
  std::size_t kibibytes = 0;
  while (file >> name >> kibibytes) {
    if (name == "MemAvailable:")
      return kibibytes * 1024;
    file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return 0;
}

void require_memory(std::size_t bytes, const std::string& what) {
  const std::size_t available = available_memory();
  if (available == 0 || bytes <= available)
    return;
  constexpr double kGibi = 1024.0 * 1024 * 1024;
  throw Error(
      "not enough memory",
      fmt::format("{} would take {:.1f} GiB, {:.1f} GiB are available", what,
                  static_cast<double>(bytes) / kGibi, static_cast<double>(available) / kGibi),
      "a smaller --size, or smaller parameters");
}

void keep_freed_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
#endif
}

}  // namespace perf::workloads
