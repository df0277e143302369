#include "workloads/inference/token_pipe.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "workloads/program/error.h"

namespace perf::workloads {

namespace {

// Every pipe takes so many bytes at once without waiting for its reader (POSIX: PIPE_BUF is at
// least 512, and a pipe holds as much; Linux holds 4096 at least).
constexpr std::size_t kPipePiece = 4096;
constexpr std::size_t kTokens = kPipePiece / sizeof(std::uint32_t);

// All of `bytes`, by read() or write(), which may do less at once or be interrupted.
template <class Call>
void transfer(Call call, std::size_t bytes) {
  for (std::size_t done = 0; done < bytes;) {
    const ssize_t moved = call(done, bytes - done);
    if (moved > 0) {
      done += static_cast<std::size_t>(moved);
    } else if (moved == 0 || errno != EINTR) {
      throw Error("a pipe to the reader broke", moved == 0 ? "end of file" : std::strerror(errno),
                  "run it again");
    }
  }
}

}  // namespace

TokenPipe::TokenPipe(std::size_t most) {
  received_.reserve(most);
  if (pipe(ends_.data()) != 0) {
    throw Error("the system gives no pipe", std::strerror(errno),
                "close other programs, or raise the limit of open files");
  }
}

TokenPipe::~TokenPipe() {
  for (const int end : ends_) {
    close(end);
  }
}

void TokenPipe::hand_over(const std::uint32_t* tokens, std::size_t count) {
  if (received_.size() + count > received_.capacity()) {
    throw std::length_error("a reader without room");
  }
  for (std::size_t begin = 0; begin < count; begin += kTokens) {
    const std::size_t piece = std::min(kTokens, count - begin), size = received_.size();
    const auto* from = reinterpret_cast<const char*>(tokens + begin);
    transfer([&](std::size_t at, std::size_t bytes) { return write(ends_[1], from + at, bytes); },
             piece * sizeof(std::uint32_t));
    received_.resize(size + piece);
    auto* to = reinterpret_cast<char*>(received_.data() + size);
    transfer([&](std::size_t at, std::size_t bytes) { return read(ends_[0], to + at, bytes); },
             piece * sizeof(std::uint32_t));
  }
}

}  // namespace perf::workloads
