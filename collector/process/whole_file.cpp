#include "collector/process/whole_file.h"

#include <cerrno>
#include <cstdio>

#include "schema/files/descriptor.h"
#include "schema/files/hold.h"

namespace perf {
namespace {

/// Some network and device file systems do not support fsync, which is not an error of the disk.
std::error_code sync(int file) {
  const bool synced = retried([&] { return fsync(file); }) == 0 || errno == EINVAL ||
                      errno == ENOSYS || errno == ENOTSUP;
  return synced ? std::error_code() : last_error();
}

/// Opens and locks it, so that it is not mistaken for a file of a killed process. None, with errno,
/// on failure.
Descriptor open_held(const std::filesystem::path& fresh, mode_t mode, Hold& hold) {
  constexpr int kFlags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW;
  Descriptor file;
  do {
    file = open_file(fresh, kFlags, mode);
    hold = file ? Hold(fresh) : Hold();
  } while (hold.is_lost());
  return file;
}

}  // namespace

std::error_code write_whole_file(const std::filesystem::path& file,
                                 const std::filesystem::path& fresh, std::string_view text,
                                 mode_t mode) {
  Hold hold;
  Descriptor opened = open_held(fresh, mode, hold);
  if (!opened) {
    return last_error();
  }
  std::error_code failed = write_all(opened.number(), text);
  if (!failed) {
    failed = sync(opened.number());
  }
  if (opened.reset() != 0 && !failed && errno != EINTR) {
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
