#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "workloads/kernels/arena.h"

namespace perf::workloads {

/// What the machine gives for reading memory from one end to the other by all threads: the
/// yardstick of memory-bound workloads, taken in the same process and close to what it is compared
/// with, because a shared machine's rate flips within a minute.
class ReadRate {
 public:
  /// Allocates and writes `bytes`, rounded up to whole pages, which should be several times the
  /// last-level cache; 0 measures nothing.
  explicit ReadRate(std::size_t bytes);
  /// Reads the caller's memory instead, which is aligned to 64 bytes, and of it whole pages: where
  /// a workload has enough of its own, a yardstick must not add to what it takes.
  ReadRate(const void* memory, std::size_t bytes);

  /// Reads all of it `times` times; bytes a second over all of them, not the best of them: what is
  /// compared with it has its slow moments, too. 0 if there is nothing to read.
  double measure(int times = 2);
  /// What all threads would read at if each found what it reads in the cache nearest to its core:
  /// the best of several readings of a few pages by one thread, times the threads. A yardstick
  /// that finds memory as fast as that has measured its own loop. 0 if there is nothing to read.
  double measure_cache() const;

  /// What is read each time.
  std::size_t bytes() const;
  /// What it has allocated.
  std::size_t own_bytes() const { return arena_ == nullptr ? 0 : bytes(); }
  /// Sum of all that was read, as integers of 64 bits, each of which is 1 in memory of its own: it
  /// keeps the reading from being optimized away, and shows that all was read.
  std::uint64_t sum() const { return sum_; }

 private:
  std::size_t pages_;
  std::unique_ptr<Arena> arena_;
  const std::uint64_t* memory_ = nullptr;
  std::uint64_t sum_ = 0;
};

}  // namespace perf::workloads
