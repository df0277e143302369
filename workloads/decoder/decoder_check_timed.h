#pragma once

#include <cstddef>
#include <cstdint>

#include "workloads/decoder/decoder_check_small.h"

namespace perf::workloads {

/// Random tokens for a decoder of any size: as many as it has room for, at most `length`.
Text random_text(const DecoderSetup& setup, std::size_t length, std::uint64_t seed);

/// The worst error of a text's logits, decoded one by one, against plain loops over what it has
/// `stored`, which is read a few weights at a time: the first and the last sequence.
double timed_logits_error(Decoder& decoder, const reference::ParameterReader& stored,
                          const Text& text);

/// The logits (B,V) after a text in one piece against those after the same with its last
/// kTimedPiece tokens one by one. Both decoders may be the same one, and are but in tests, which
/// plant a difference.
double cache_error(Decoder& one_by_one, Decoder& one_piece, const Text& text);

/// The decoder's stored weights against their source's, by rounded_reference(): of each tensor the
/// first and the last row, those on both sides of where one block that is loaded ends and the next
/// begins, and a few random ones. By the largest value of a row; of all the worst.
double some_weights_error(const Decoder& decoder, const ParameterSource& source,
                          std::uint64_t seed);

/// Of the model with 0.5 billion parameters the reference takes 0.2 s a token.
inline constexpr std::size_t kTimedTokens = 4;
/// More than a product of few rows has, so that one piece takes the other way.
inline constexpr std::size_t kTimedPiece = 24;
/// More than attention takes of keys at once, or of queries.
inline constexpr std::size_t kTimedLength = 300;

}  // namespace perf::workloads
