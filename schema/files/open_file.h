#pragma once

#include <fcntl.h>

#include <cerrno>
#include <filesystem>

namespace perf {

/// open(2), once more where a signal came first, as it may on file systems over a network. The
/// descriptor, or -1 with errno.
inline int open_file(const std::filesystem::path& file, int flags, mode_t mode = 0) {
  int opened = -1;
  do {
    opened = open(file.c_str(), flags, mode);
  } while (opened < 0 && errno == EINTR);
  return opened;
}

}  // namespace perf
