#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "workloads/inference/decoder.h"
#include "workloads/step_emitter.h"

namespace perf::workloads {

/// What a decoder generates greedily after a random text, once over its cache and once with a pass
/// over all tokens so far for each.
struct CacheErrors {
  std::size_t tokens = 0;  ///< that differ, but for ties within single precision
  double logits = 0;       ///< the worst of those that they come from
};
/// Leaves the decoder reset, which has room for a few tokens at least.
CacheErrors without_cache_errors(Decoder& decoder, std::uint64_t seed);

///     tokens_match_cached   (fp32) and
///     logits_match_cached   these errors
std::vector<std::string> without_cache_checks(WeightType weights);
void check_without_cache(Decoder& decoder, std::uint64_t seed, perf_compare::StepEmitter& out);

}  // namespace perf::workloads
