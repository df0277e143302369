#include "workloads/program/memory.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <fstream>
#include <limits>

#include "workloads/program/error.h"
#include "workloads/program/memory_limit.h"

namespace perf::workloads {

namespace {

// A line "name:   123 kB" of a file under /proc, in bytes; 0 where it is not there.
std::size_t bytes_from(const char* path, const std::string& name) {
  std::ifstream file(path);
  std::string word;
  std::size_t kibibytes = 0;
  while (file >> word) {
    if (word == name && file >> kibibytes) {
      return kibibytes * 1024;
    }
    file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return 0;
}

}  // namespace

std::size_t available_memory() {
  const std::size_t system = bytes_from("/proc/meminfo", "MemAvailable:");
  return std::min(system, memory_left_by_groups().value_or(system));
}

std::size_t total_memory() {
  return bytes_from("/proc/meminfo", "MemTotal:");
}

// Not /proc/self/status: it says, too, whether a tracer watches, and so no trace could be trusted.

std::size_t resident_memory() {
  std::ifstream file("/proc/self/statm");
  std::size_t size = 0, resident = 0;
  return file >> size >> resident ? resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) : 0;
}

std::size_t peak_resident_memory() {
  rusage usage{};
  return getrusage(RUSAGE_SELF, &usage) == 0 ? static_cast<std::size_t>(usage.ru_maxrss) * 1024 : 0;
}

std::string in_gib(double bytes) {
  return fmt::format("{:.1f} GiB", bytes / kGibi);
}

void require_memory(std::size_t bytes, const std::string& what) {
  const std::size_t available = available_memory();
  if (available == 0 || bytes <= available) {
    return;
  }
  throw Error(
      "not enough memory",
      fmt::format("{} would take {}, {} are available", what, in_gib(static_cast<double>(bytes)),
                  in_gib(static_cast<double>(available))),
      "a smaller --size, or smaller parameters");
}

void keep_freed_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
#endif
}

void give_back_freed_memory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

}  // namespace perf::workloads
