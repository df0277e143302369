#pragma once

#include <cstddef>
#include <cstdint>

#include "workloads/inference/decoder_check_small.h"

namespace perf::workloads {

/// Random tokens for a decoder of any size: as many as it has room for, at most `length`.
Text random_text(const DecoderSetup& setup, std::size_t length, std::uint64_t seed);

/// The worst error of a text's logits, decoded one by one, against plain loops over the decoder's
/// stored weights, which are read a few at a time: the first and the last sequence.
double timed_logits_error(Decoder& decoder, const Text& text);

/// The logits (B,V) after a text in one piece against those after the same one by one.
double cache_error(Decoder& decoder, const Text& text);

/// Of the model with 0.5 billion parameters the reference takes 0.2 s a token.
inline constexpr std::size_t kTimedTokens = 4;
/// More than a product of few rows has, so that one piece takes the other way.
inline constexpr std::size_t kTimedPiece = 24;

}  // namespace perf::workloads
