#pragma once

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <string>

namespace perf {

/// Appends what an open file has, until the text has `limit` bytes. 0, or the errno of the read
/// that failed.
inline int read_up_to(int file, std::size_t limit, std::string& text) {
  constexpr std::size_t kPiece = 1 << 16;
  while (text.size() < limit) {
    const std::size_t done = text.size();
    text.resize(std::min(done + kPiece, limit));
    const ssize_t size = read(file, text.data() + done, text.size() - done);
    text.resize(done + static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
    if (size < 0 && errno != EINTR) {
      return errno;
    }
    if (size == 0) {
      break;
    }
  }
  return 0;
}

}  // namespace perf
