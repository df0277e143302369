#pragma once

#include <array>
#include <cstddef>

#include "workloads/kernels/ledger.h"

namespace perf::workloads {

/// Where to cut off the tail of a distribution: the largest threshold such that the values that
/// reach it are worth at least what is wanted, in sum (a nucleus, Holtzman et al.,
/// arXiv:1904.09751, section 3.1) or in number (the k largest). Nothing is sorted but the last few.
///
/// A ladder of thresholds is laid over the interval that holds the cutoff, equally far apart in the
/// bits of the floats, which are ordered as positive floats are: so in their logarithms, nearly.
/// One pass sums up what reaches each of its rungs. The cutoff lies between two of them; what else
/// lies there is copied together, and the next ladder is laid over that. An interval shrinks by 17
/// each time, so that after at most 8 rounds nothing is left between its ends.
class Cutoff {
 public:
  enum class Worth { value, one };  ///< of each value: its own size, or 1

  Cutoff(std::size_t count, Ledger& memory);

  /// Of values (count) in [0,1], of which those below `least` are not needed: what reaches `least`
  /// is worth `wanted` or more. Sums are in single precision within chunks of 2048, so that the
  /// threshold of a sum may be that of a neighbour in size. On all threads; the result does not
  /// depend on their number.
  float find(const float* values, Worth worth, double wanted, float least);

 private:
  static constexpr std::size_t kRungs = 16;
  using Ladder = std::array<float, kRungs>;
  struct Interval;  // that holds the cutoff

  void narrow(Interval& interval, Worth worth, double wanted);
  void copy_together(Interval& interval);
  float among_the_last(const Interval& interval, Worth worth, double wanted) const;

  std::size_t count_, chunks_;
  float* inside_ = nullptr;       // (count): of each chunk those in the interval, at its begin
  std::size_t* sizes_ = nullptr;  // (chunks): how many they are
  float* sums_ = nullptr;         // (chunks,kRungs)
};

}  // namespace perf::workloads
