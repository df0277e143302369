#include "workloads/program/page_cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "workloads/program/error.h"

namespace perf::workloads {

namespace {

constexpr double kMostLeft = 0.01;

/// A file that is open as long as the object lives.
struct OpenFile {
  explicit OpenFile(const std::string& path) : number(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    struct stat status = {};
    if (number < 0 || fstat(number, &status) != 0) {
      const std::string why = std::strerror(errno);
      if (number >= 0) {
        close(number);
      }
      throw std::runtime_error("cannot open " + path + ": " + why);
    }
    bytes = static_cast<std::size_t>(status.st_size);
  }
  ~OpenFile() { close(number); }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  int number;
  std::size_t bytes = 0;
};

double cached_share(const OpenFile& file, const std::string& path) {
  if (file.bytes == 0) {
    return 0;
  }
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::vector<unsigned char> pages((file.bytes + page - 1) / page);
  void* mapping = mmap(nullptr, file.bytes, PROT_READ, MAP_SHARED, file.number, 0);
  const bool known = mapping != MAP_FAILED && mincore(mapping, file.bytes, pages.data()) == 0;
  const std::string why = std::strerror(errno);
  if (mapping != MAP_FAILED) {
    munmap(mapping, file.bytes);
  }
  if (!known) {
    throw std::runtime_error("cannot see what is cached of " + path + ": " + why);
  }
  const auto cached =
      std::count_if(pages.begin(), pages.end(), [](unsigned char state) { return state & 1; });
  return static_cast<double>(cached) / static_cast<double>(pages.size());
}

}  // namespace

double cached_share(const std::string& path) {
  return cached_share(OpenFile(path), path);
}

void drop_from_page_cache(const std::string& path) {
  const OpenFile file(path);
  fdatasync(file.number);  // what is not on the disk yet is not forgotten
  posix_fadvise(file.number, 0, 0, POSIX_FADV_DONTNEED);
  const double left = cached_share(file, path);
  if (left > kMostLeft) {
    throw Error("the page cache keeps the file",
                fmt::format("--page-cache cold, {}: {:.0f} % stay in memory", path, 100 * left),
                "--page-cache warm, or a file on a disk (TMPDIR) that no other process maps");
  }
}

}  // namespace perf::workloads
