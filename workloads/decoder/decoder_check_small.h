#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "workloads/decoder/decoder_in_memory.h"
#include "workloads/reference/decoder_forward.h"

namespace perf::workloads {

/// Tokens (sequences,length), as Decoder takes them.
struct Text {
  std::size_t sequences = 1, length = 0;
  std::vector<int> tokens;

  std::vector<int> sequence(std::size_t index) const;
  /// Positions first .. first + count of each sequence.
  Text part(std::size_t first, std::size_t count) const;
  /// One more token a sequence.
  void append(const std::vector<int>& next);
};

/// The parameters of a small model: random as those of SeededParameters, but with logits that are
/// twice as far apart, of deviation 1, so that a text drawn from them has something to predict,
/// and to predict worse.
class SmallParameters : public ParameterSource {
 public:
  SmallParameters(const ModelShape& shape, std::uint64_t seed) : random_(shape, seed) {}
  const ModelShape& shape() const override { return random_.shape(); }
  void read(const ModelTensor& tensor, std::size_t first, std::size_t count,
            float* values) const override;

 private:
  SeededParameters random_;
};

/// The same types, backend and number of sequences, on a model so small that the reference's plain
/// loops take milliseconds. Its matrices are several groups wide, query heads share key-value
/// heads, and the texts are longer than a tile of attention's rows and a product of few rows.
DecoderSetup small_setup(const DecoderSetup& setup);
/// Positions of a text before those that are taken greedily: of a single sequence so many that
/// attention's keys do not fit into one of its parts of 256.
std::size_t small_prompt(std::size_t sequences);
inline constexpr std::size_t kSmallGreedy = 8;

/// Single precision cannot tell logits that are closer, by the largest of them.
inline constexpr double kTie = 2e-5;

/// A text drawn from the model's own probabilities at temperature 1, by a decoder in fp32.
Text draw_text(const DecoderSetup& small, const ParameterSource& source, std::uint64_t seed);

/// The logits (B*length,V) of a text, in one piece through products of many rows; or token by token
/// through the cache.
std::vector<float> logits_in_one_piece(Decoder& decoder, const Text& text);
std::vector<float> logits_one_by_one(Decoder& decoder, const Text& text);

/// Appends the decoder's most probable tokens to a text that it has just decoded, whose last
/// logits (B,V) are `logits`.
Text continue_greedily(Decoder& decoder, const Text& text, const float* logits, std::size_t count);

/// The reference's logits of the first and the last sequence of a text, which has `length`
/// positions; one and the same where there is one.
struct ReferenceLogits {
  std::vector<std::size_t> sequences;
  std::vector<std::vector<double>> logits;  ///< of each (length,V)
};
ReferenceLogits reference_logits(const ModelShape& shape, const reference::ParameterReader& read,
                                 const Text& text);

/// The decoder's stored parameters, for reference_logits(); the decoder must outlive it.
reference::ParameterReader stored_parameters(const Decoder& decoder);
/// A source's.
reference::ParameterReader exact_parameters(const ParameterSource& source);

/// The worst error of logits (B*length,V), by the largest of a sequence's.
double logit_error(const std::vector<float>& logits, const ReferenceLogits& want, const Text& text);

/// Whether a token is the most probable one of logits (V), but for a tie within single precision.
template <class Value>
bool is_most_probable(const Value* logits, std::size_t vocabulary, int token) {
  const double largest = *std::max_element(logits, logits + vocabulary);
  return logits[token] >= largest - kTie * std::abs(largest);
}

/// How many tokens of a text, from position `first` on, are not the reference's most probable ones
/// after those before, but for ties within single precision.
std::size_t wrong_greedy_tokens(const ReferenceLogits& want, const Text& text, std::size_t first);

/// The decoder's stored weights against rounded_reference(): a tensor's worst error by its largest
/// value; of all the worst.
double weights_error(const Decoder& decoder, const ParameterSource& source);

/// The decoder's perplexity of a text, of the first and the last sequence, against the one that
/// plain loops over the source's parameters give: relative, either way.
double perplexity_change(Decoder& decoder, const ParameterSource& source, const Text& text);

}  // namespace perf::workloads
