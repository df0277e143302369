#pragma once

#include <cstddef>
#include <vector>

#include "workloads/inference/sampling.h"
#include "workloads/kernels/sampler.h"

namespace perf::workloads {

/// How far draws are from sampling_probabilities_reference().
struct DrawErrors {
  /// The worst share of the probability by which a draw's unit lies outside of its token's interval
  /// among the reference's probabilities, added up in the order of the tokens.
  double position = 0;
  /// The worst share by which a drawn token is less probable than the least of those that may be
  /// drawn.
  double outside = 0;
  /// Pearson's chi-square over ranges of tokens in which at least 10 draws are expected, and its
  /// degrees of freedom: whether frequencies are the probabilities, whatever the units were.
  double chi_square = 0;
  std::size_t freedom = 0;

  /// Takes in the errors of draws from other logits.
  void add(const DrawErrors& other);
  /// By how many deviations the chi-square is too large: nearly normal (Wilson and Hilferty 1931,
  /// "The distribution of chi-square"); 0 without a degree of freedom.
  double frequency() const;
};

DrawErrors draw_errors(const SamplingOptions& options, const float* logits, std::size_t vocabulary,
                       const std::vector<Sampling::Draw>& draws);

/// e^x in single precision, and sums of 2,048 of them, are good to 1e-5.
inline constexpr double kPositionTolerance = 1e-5;
/// Rounding may let the next token into a nucleus. Of a hundred thousand tokens neighbours differ
/// by less than this; of a few, rounding does not reach from one to the next.
inline constexpr double kOutsideTolerance = 1e-2;
/// One run in a hundred million is further off by chance.
inline constexpr double kFrequencyTolerance = 6;

}  // namespace perf::workloads
