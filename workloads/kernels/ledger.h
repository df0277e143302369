#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string_view>

#include "workloads/kernels/arena.h"

namespace perf::workloads {

/// What a model's memory is for.
enum class Purpose { weights, gradients, optimizer, activations, workspace, kv_cache };
inline constexpr std::array<std::string_view, 6> kPurposeNames = {
    "weights", "gradients", "optimizer", "activations", "workspace", "kv_cache"};
/// The first so many are training's; the KV cache is inference's.
inline constexpr std::size_t kTrainingPurposes = 5;

/// A workload's own allocator: all memory in one Arena, counted by what it is for. The code that
/// takes the memory runs twice: over a Ledger that only counts (and gives out null), then over one
/// that holds as much as was counted. So nothing is added up a second time by hand, and what does
/// not fit is known before anything is touched.
class Ledger {
 public:
  /// Counts only.
  Ledger() = default;
  /// Holds what `counted` counted, zeroed. Throws std::bad_alloc.
  explicit Ledger(const Ledger& counted);
  Ledger& operator=(const Ledger&) = delete;

  /// `count` values for a purpose: null while counting, else zeroed and aligned to 64 bytes.
  /// Throws std::logic_error past what was counted for that purpose.
  template <class Value>
  Value* take(Purpose purpose, std::size_t count) {
    book(purpose, Arena::room<Value>(count));
    return arena_ == nullptr ? nullptr : arena_->take<Value>(count);
  }

  bool counting() const { return arena_ == nullptr; }
  /// Taken so far, padding included.
  std::size_t bytes(Purpose purpose) const { return bytes_[static_cast<std::size_t>(purpose)]; }
  std::size_t total() const;

 private:
  using ByPurpose = std::array<std::size_t, kPurposeNames.size()>;

  void book(Purpose purpose, std::size_t bytes);

  ByPurpose bytes_{}, counted_{};
  std::unique_ptr<Arena> arena_;
};

}  // namespace perf::workloads
