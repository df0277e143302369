#pragma once

#include <vector>

namespace perf::workloads {

/// What the machine gives for a square sgemm: the yardstick of compute-bound workloads, taken in
/// the same process, because a shared machine's rate changes from minute to minute. Always
/// OpenBLAS, whatever the workload's backend, so that backends can be compared by their share.
class GemmRate {
 public:
  /// Allocates and fills three (size,size) matrices; 0 measures nothing.
  explicit GemmRate(int size);

  /// Multiplies `times` times (after one untimed product on the first call) and keeps the times.
  void measure(int times);

  /// Operations a second by the fastest time, 0 if nothing was measured: what the machine can give.
  /// A disturbed run then shows a share that is too low, never one that is too good.
  double rate() const;

 private:
  int size_;
  std::vector<float> a_, b_, c_;
  std::vector<double> seconds_;
};

}  // namespace perf::workloads
