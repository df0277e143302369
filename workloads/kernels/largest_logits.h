#pragma once

#include <cstddef>
#include <cstdint>

#include "workloads/kernels/ledger.h"

namespace perf::workloads {

/// The few largest of very many values, found without touching most of them a second time. A first
/// pass keeps the largest of each of many groups. As many values as groups reach the k-th largest
/// of these, so it is a lower bound of the k-th largest value, and a tight one: of 150,000 random
/// values and k = 50 about 52 reach it, and they lie in half of the chunks.
class LargestLogits {
 public:
  struct Candidate {
    std::uint32_t token;
    float logit;
  };

  /// With `with_candidates`, so that candidates() may be asked for.
  LargestLogits(std::size_t count, bool with_candidates, Ledger& memory);

  /// Takes in logits (count), on all threads.
  void scan(const float* logits);

  /// The largest; -infinity if all are that, or NaN.
  float largest() const { return largest_; }
  /// Whether any is NaN.
  bool has_nan() const { return has_nan_; }
  /// The first token with that logit.
  std::size_t first_largest() const;

  /// Those that reach the k-th largest logit, in the order of the tokens: k, or more where some at
  /// the border are equal. Null where another way is faster: k is not small beside the groups, or
  /// too many reach the bound.
  const Candidate* candidates(std::size_t k, std::size_t& found);

 private:
  static constexpr std::size_t kMostCandidates = 4096;

  bool gather(std::size_t chunk, float bound, std::size_t& found);

  std::size_t count_, chunks_;
  const float* logits_ = nullptr;
  float largest_ = 0;
  bool has_nan_ = false;
  float* groups_ = nullptr;   // (chunks,kGroups): the largest of each
  float* ordered_ = nullptr;  // room to select among them, or among the candidates
  Candidate* candidates_ = nullptr;
};

}  // namespace perf::workloads
