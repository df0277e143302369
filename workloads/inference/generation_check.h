#pragma once

#include <cstddef>
#include <vector>

#include "workloads/inference/decoder.h"

namespace perf::workloads {

/// Single against double precision through all layers: about 1e-6 is seen.
inline constexpr double kLogitTolerance = 1e-4;
/// Of the nucleus's mass, which single-precision exponentials move by about 1e-7.
inline constexpr double kNucleusTolerance = 1e-5;

/// Largest relative error of the logits after `tokens`, the last one decoded through the cache and
/// the others in one piece, against the reference. Leaves the decoder with these tokens.
double logit_error(Decoder& decoder, const std::vector<int>& tokens);

/// Largest relative difference between `decoded`, the logits that decoding ended with, and those
/// of the same tokens computed in one piece: what a cache written to the wrong place would show.
double cache_error(Decoder& decoder, const std::vector<int>& tokens,
                   const std::vector<float>& decoded);

/// Relative difference between the nucleus by threshold and by sorting; 1 where their sizes differ
/// by more than rounding at the border explains.
double nucleus_error(const float* logits, std::size_t count, float temperature, float top_p);

}  // namespace perf::workloads
