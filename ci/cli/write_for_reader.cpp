#include "ci/cli/write_for_reader.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "ci/cli/interruption.h"
#include "collector/process/monotonic.h"
#include "reporter/escape/terminal.h"
#include "schema/files/open_file.h"

namespace perf {
namespace {

class Patience {
 public:
  bool is_over() {
    if (interruption() == 0) {
      return false;
    }
    if (!end_) {
      end_ = monotonic_seconds() + 1;
    }
    return monotonic_seconds() >= *end_;
  }

 private:
  std::optional<double> end_;
};

/// A pipe with a name of its own: somebody may come to read it. Nobody comes to one that is known
/// by a number only (/dev/stdout).
bool is_named_pipe(const std::string& file) {
  std::error_code ignored;
  return std::filesystem::is_fifo(std::filesystem::symlink_status(file, ignored));
}

/// Never blocks in the kernel, which would swallow the signal. The descriptor, or -1 with errno.
int open_for_reader(const std::string& file) {
  constexpr int kFlags = O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
  constexpr int kNap = 20;  // ms
  int opened = open_file(file, kFlags);
  if (opened >= 0 || errno != ENXIO || !is_named_pipe(file)) {
    return opened;
  }
  std::fputs(("note: waiting for a reader of " + reporter::terminal_text(file) + "\n").c_str(),
             stderr);
  Patience patience;
  do {
    poll(nullptr, 0, kNap);
    opened = open_file(file, kFlags);
  } while (opened < 0 && errno == ENXIO && !patience.is_over());
  return opened;
}

std::error_code pass_on(int file, std::string_view text) {
  constexpr int kAskInterval = 100;  // ms
  for (Patience patience; !text.empty();) {
    const ssize_t written = write(file, text.data(), text.size());
    if (written > 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
      patience = {};
    } else if (written < 0 && errno != EAGAIN && errno != EINTR) {
      return {errno, std::generic_category()};
    } else if (patience.is_over()) {
      return std::make_error_code(std::errc::timed_out);
    } else {
      pollfd polled{file, POLLOUT, 0};
      poll(&polled, 1, kAskInterval);
    }
  }
  return {};
}

}  // namespace

std::error_code write_for_reader(const std::string& file, std::string_view text) {
  const int opened = open_for_reader(file);
  if (opened < 0) {
    return {errno, std::generic_category()};
  }
  std::error_code failed = pass_on(opened, text);
  if (close(opened) != 0 && !failed && errno != EINTR) {
    failed = {errno, std::generic_category()};
  }
  return failed;
}

}  // namespace perf
