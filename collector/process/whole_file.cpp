#include "collector/process/whole_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "schema/files/hold.h"
#include "schema/files/open_file.h"

namespace perf {
namespace {

std::error_code last_error() {
  return {errno, std::generic_category()};
}

/// Some file systems of networks and devices know no fsync; a disk that fails is another thing.
std::error_code sync(int file) {
  while (fsync(file) != 0) {
    if (errno == EINVAL || errno == ENOSYS || errno == ENOTSUP) {
      return {};
    }
    if (errno != EINTR) {
      return last_error();
    }
  }
  return {};
}

int open_fresh(const std::filesystem::path& fresh, mode_t mode) {
  constexpr int kFlags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW;
  return open_file(fresh, kFlags, mode);
}

/// Opens it and holds it, so that nobody takes it for what a killed process left. The descriptor,
/// or -1 with the errno of the opening.
int open_held(const std::filesystem::path& fresh, mode_t mode, Hold& hold) {
  for (;;) {
    const int file = open_fresh(fresh, mode);
    if (file < 0) {
      return -1;
    }
    hold = Hold(fresh);
    if (!hold.is_lost()) {
      return file;
    }
    close(file);
  }
}

}  // namespace

std::error_code write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(file, text.data(), text.size());
    if (written < 0 && errno != EINTR) {
      return last_error();
    }
    text.remove_prefix(written < 0 ? 0 : static_cast<std::size_t>(written));
  }
  return {};
}

std::error_code write_whole_file(const std::filesystem::path& file,
                                 const std::filesystem::path& fresh, std::string_view text,
                                 mode_t mode) {
  Hold hold;
  const int opened = open_held(fresh, mode, hold);
  if (opened < 0) {
    return last_error();
  }
  std::error_code failed = write_all(opened, text);
  if (!failed) {
    failed = sync(opened);
  }
  if (close(opened) != 0 && !failed && errno != EINTR) {
    failed = last_error();
  }
  if (!failed && std::rename(fresh.c_str(), file.c_str()) != 0) {
    failed = last_error();
  }
  if (failed) {
    unlink(fresh.c_str());
  }
  return failed;
}

}  // namespace perf
