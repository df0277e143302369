#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "workloads/kernels/cutoff.h"
#include "workloads/kernels/largest_logits.h"
#include "workloads/kernels/ledger.h"

namespace perf::workloads {

/// Which tokens may be drawn: the most probable one alone; all of them; the k most probable; or the
/// most probable whose probabilities reach top_p together (nucleus, Holtzman et al.,
/// arXiv:1904.09751).
enum class SamplingMethod { greedy, temperature, top_k, top_p };

/// "greedy", "temperature", "top-k", "top-p".
const std::vector<std::string>& sampling_method_names();
/// Throws std::invalid_argument for another name.
SamplingMethod sampling_method_from(const std::string& name);
const std::string& name_of(SamplingMethod method);

struct SamplingOptions {
  SamplingMethod method = SamplingMethod::top_p;
  double temperature = 0.7;  ///< > 0; logits are divided by it; greedy has none
  int top_k = 50;            ///< > 0; as many as there are tokens, or more: all
  double top_p = 0.9;        ///< in (0,1]; 1: all
};

/// Draws tokens from logits without ever sorting the vocabulary.
class Sampler {
 public:
  /// Throws std::invalid_argument for options outside their ranges, or no vocabulary.
  Sampler(const SamplingOptions& options, std::size_t vocabulary, Ledger& memory);

  /// The token at share `unit` in [0,1) of the probability of those that may be drawn, taken in the
  /// order of their numbers; greedy: the first of the most probable. Of equal logits at the border
  /// of the k, or of the nucleus, all may be drawn, and single precision decides what is equal: in
  /// the nucleus, probabilities; of the k too, where k is large. What is less probable than e^-87
  /// of the most probable is never drawn. On all threads; the result does not depend on their
  /// number. Logits that make no distribution give a token all the same, so that whoever checks
  /// them can say so: the first NaN, else the first +infinity, else token 0 of nothing but
  /// -infinity.
  std::size_t choose(const float* logits, double unit);

 private:
  std::size_t choose_among(const LargestLogits::Candidate* candidates, std::size_t count,
                           double unit) const;
  void weigh(const float* logits);
  float border(double total);
  void weigh_from(float least);
  std::size_t draw(float least, double unit) const;
  double total_mass() const;

  SamplingOptions options_;
  std::size_t vocabulary_, chunks_;
  float inverse_temperature_;
  LargestLogits largest_;
  Cutoff cutoff_;
  float* probabilities_ = nullptr;  // (V): of each token beside the most probable one
  float* masses_ = nullptr;         // (chunks): sums of those that may be drawn
};

/// Probability (vocabulary) of each token under `options`, by sorting, in double precision: what
/// Sampler draws from. NaN where the logits make no distribution.
std::vector<double> sampling_probabilities_reference(const SamplingOptions& options,
                                                     const float* logits, std::size_t vocabulary);

/// The room that a Sampler takes, counted by making one without it.
Ledger room_for_sampler(const SamplingOptions& options, std::size_t vocabulary);

}  // namespace perf::workloads
