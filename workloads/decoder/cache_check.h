#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "workloads/decoder/decoder.h"
#include "workloads/step_emitter.h"

namespace perf::workloads {

/// What a decoder generates greedily after a random text, once over its cache and once with a pass
/// over all tokens so far for each.
struct CacheErrors {
  std::size_t tokens = 0;  ///< that differ, but for ties within single precision
  double logits = 0;       ///< the worst of those that they come from
};
/// Leaves the decoders reset, which have room for a few tokens at least. Both may be the same one,
/// and are but in tests, which plant a difference.
CacheErrors without_cache_errors(Decoder& cached, Decoder& uncached, std::uint64_t seed);

///     logits_match_cached   these errors, and
///     tokens_match_cached   (where is_exact())
std::vector<std::string> without_cache_checks();
void check_without_cache(Decoder& decoder, std::uint64_t seed, perf_compare::StepEmitter& out);

}  // namespace perf::workloads
