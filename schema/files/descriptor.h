#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <utility>

namespace perf {

/// Owns an open file, socket, pipe or event by its number; -1: none.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { reset(); }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }

  explicit operator bool() const { return number_ >= 0; }
  int number() const { return number_; }
  /// Closes it now. Returns the result of close(2), 0 where nothing is open.
  int reset() { return number_ >= 0 ? close(std::exchange(number_, -1)) : 0; }

 private:
  int number_ = -1;
};

/// The result of a system call, repeated after signals (EINTR).
template <class Call>
auto retried(const Call& call) {
  auto answer = call();
  while (answer < 0 && errno == EINTR) {
    answer = call();
  }
  return answer;
}

/// open(2), repeated after signals, which interrupt it on network file systems; none, with errno,
/// where it fails.
inline Descriptor open_file(const std::filesystem::path& file, int flags, mode_t mode = 0) {
  return Descriptor(retried([&] { return open(file.c_str(), flags, mode); }));
}

}  // namespace perf
