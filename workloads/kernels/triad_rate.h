#pragma once

#include <cstddef>
#include <memory>

#include "workloads/kernels/arena.h"

namespace perf::workloads {

/// The triad of STREAM (McCalpin, "Memory bandwidth and machine balance in current high performance
/// computers", IEEE TCCA Newsletter, December 1995): a[i] = b[i] + s * c[i], by all threads. What
/// the machine gives where memory is written, too. Three arrays in one arena; the result is stored
/// past the caches where the CPU can (AVX), so that what is overwritten need not be read first.
class TriadRate {
 public:
  /// `bytes` of each of the three arrays, rounded up to whole pages; 0 measures nothing.
  explicit TriadRate(std::size_t bytes);

  /// All of the result once.
  void pass();
  /// Fills the result with NaN, for the next pass to replace.
  void spoil_result();
  /// Bytes that a pass moves, as STREAM counts: the three arrays, once each.
  double traffic() const { return 3.0 * static_cast<double>(count_ * sizeof(double)); }
  /// Largest relative difference from b + s c over all values; 0 if there are none. Before the
  /// first pass the result is 0, so the error 1; NaN is infinitely far.
  double error() const;

  /// The result: (count), from the start of a page.
  double* result() { return a_; }
  std::size_t count() const { return count_; }

 private:
  std::size_t count_;
  std::unique_ptr<Arena> arena_;
  double *a_ = nullptr, *b_ = nullptr, *c_ = nullptr;
};

/// The sum and the product are rounded once or twice, 2^-53 each.
inline constexpr double kTriadTolerance = 4e-16;

}  // namespace perf::workloads
