#pragma once

#include <cstddef>
#include <memory>
#include <stdexcept>

namespace perf::workloads {

/// All memory of a workload in one mapping, taken before the first step, so that steps allocate
/// nothing and peak memory is the same in every invocation. Huge pages are asked for: the steps
/// gain 1 to 4 %, the first touch of 480 MB a sixth of a second. Every page is touched at once, by
/// all threads.
class Arena {
 public:
  /// Throws std::bad_alloc if the system refuses.
  explicit Arena(std::size_t bytes);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  /// `count` values, zeroed, aligned to 64 bytes. Throws std::logic_error past the end.
  template <class Value>
  Value* take(std::size_t count) {
    return static_cast<Value*>(take_bytes(count * sizeof(Value)));
  }

  std::size_t used() const { return used_; }

  /// The room that `count` values take, padding included: add these up for the constructor.
  template <class Value>
  static constexpr std::size_t room(std::size_t count) {
    return (count * sizeof(Value) + kAlignment - 1) / kAlignment * kAlignment;
  }

 private:
  static constexpr std::size_t kAlignment = 64;
  void* take_bytes(std::size_t bytes);

  std::byte* memory_ = nullptr;
  std::size_t size_ = 0, used_ = 0;
};

}  // namespace perf::workloads
