#include "collector/process/capture.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "collector/process/captured_text.h"
#include "schema/error.h"
#include "schema/files/content.h"

namespace perf {
namespace {

/// A pipe's usual capacity.
constexpr std::size_t kChunk = 1 << 16;

}  // namespace

OutputLog::OutputLog(const std::filesystem::path& file,
                     std::function<void(std::string_view)> on_output)
    : on_output_(std::move(on_output)) {
  if (!file.empty()) {
    file_ =
        open_file(file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY, 0644);
    if (!file_) {
      throw Error("cannot write the log", file.string() + ": " + std::strerror(errno));
    }
  }
}

void OutputLog::append(const char* data, std::size_t size) {
  if (on_output_) {
    on_output_({data, size});
  }
  if (!file_ || left_ == 0) {
    return;
  }
  static constexpr std::string_view kCut =
      "\n[the log ends here: the process wrote more than 64 MiB]\n";
  std::string chunk(data, std::min(size, left_));
  left_ -= chunk.size();
  if (left_ == 0) {
    chunk += kCut;
  }
  if (write_all(file_.number(), chunk)) {
    left_ = 0;  // a full disk must not make the process fail
  }
}

Capture::Capture(Keep keep, std::size_t limit) : keep_(keep), limit_(limit) {
  int ends[2] = {-1, -1};
  if (pipe2(ends, O_CLOEXEC) != 0) {
    throw Error("cannot make a pipe", std::strerror(errno),
                "raise the limit on open files (ulimit -n)");
  }
  read_end_ = Descriptor(ends[0]);
  write_end_ = Descriptor(ends[1]);
  fcntl(ends[0], F_SETFL, O_NONBLOCK);  // only this end: children expect blocking writes
}

void Capture::keep(const char* data, std::size_t size) {
  if (keep_ == Keep::first) {
    kept_.append(data, std::min(size, limit_ - std::min(limit_, kept_.size())));
    return;
  }
  kept_.append(data, size);
  if (kept_.size() > limit_ + kChunk) {  // in large steps, to stay linear
    kept_.erase(0, kept_.size() - limit_);
  }
}

void Capture::drain(OutputLog& log) {
  std::array<char, kChunk> chunk;
  for (std::size_t taken = 0; read_end_ && taken < 4 * kChunk;) {
    const ssize_t size =
        retried([&] { return read(read_end_.number(), chunk.data(), chunk.size()); });
    if (size > 0) {
      taken += static_cast<std::size_t>(size);
      keep(chunk.data(), static_cast<std::size_t>(size));
      log.append(chunk.data(), static_cast<std::size_t>(size));
    } else if (size < 0 && errno == EAGAIN) {
      return;
    } else {
      read_end_.reset();
    }
  }
}

std::string Capture::text() const {
  const std::string_view all = kept_;
  return to_valid_text(all.substr(all.size() - std::min(all.size(), limit_)));
}

Descriptor make_stdout_file(const std::filesystem::path& file) {
  // O_APPEND: a process that opens /dev/stdout again overwrites nothing.
  constexpr int kFlags = O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW | O_CLOEXEC;
  Descriptor made = file.empty() ? Descriptor() : open_file(file, kFlags, 0600);
  if (!made && !file.empty()) {
    throw Error("cannot make the file for a process's output",
                file.string() + ": " + std::strerror(errno));
  }
  return made;
}

}  // namespace perf
