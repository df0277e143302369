#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workloads/decoder/decoder.h"
#include "workloads/step_emitter.h"

namespace perf::workloads {

/// The checks that every workload with a decoder makes, after its steps. On a small model with the
/// same types, backend and number of sequences:
///     greedy_tokens_match_reference   (where is_exact()) takes the same tokens as plain loops do
///     logits_match_reference          decoded through the cache and in one piece, against plain
///                                     loops over the weights as they are stored
///     weights_match_reference         the stored weights against the rounding's formula
///     perplexity_change               by how much the stored types move it, on a text drawn from
///                                     the model's exact probabilities
/// On the model that was timed:
///     timed_logits_match_reference    a few tokens, against plain loops over its stored weights
///     timed_cache_matches_one_piece   tokens decoded one by one against the same in one piece
///     timed_weights_match_source      some rows of each tensor, against their source's as they are
///                                     rounded by formula
std::vector<std::string> decoder_checks();

/// Leaves the timed decoder reset, which was loaded from the source.
void check_decoder(Decoder& timed, const ParameterSource& source, std::uint64_t seed,
                   perf_compare::StepEmitter& out);

/// What each error may be. Measured over seeds and backends, the largest are a third to a half of
/// these.
struct DecoderTolerances {
  double logits = 0;      ///< whichever way they come
  double decoded = 0;     ///< of tokens that come one by one
  double weights = 0;     ///< weights_error()
  double perplexity = 0;  ///< relative change, either way
};
DecoderTolerances tolerances(const DecoderSetup& setup);

/// Whether nothing is rounded to less than single precision, so that tokens can be compared.
bool is_exact(const DecoderSetup& setup);

}  // namespace perf::workloads
