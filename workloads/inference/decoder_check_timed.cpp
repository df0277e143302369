#include "workloads/inference/decoder_check_timed.h"

#include <algorithm>

#include "workloads/kernels/agreement.h"
#include "workloads/kernels/random.h"

namespace perf::workloads {

namespace {

constexpr std::uint32_t kTimedStream = 2'000'003;

}  // namespace

Text random_text(const DecoderSetup& setup, std::size_t length, std::uint64_t seed) {
  Text text{.sequences = setup.sequences,
            .length = std::min({length, setup.capacity, setup.most_rows / setup.sequences}),
            .tokens = {}};
  const std::uint32_t stream = derived_seed(seed, kTimedStream);
  const auto vocabulary = static_cast<std::uint32_t>(setup.shape.vocabulary);
  for (std::uint32_t i = 0; i < text.sequences * text.length; ++i)
    text.tokens.push_back(static_cast<int>(random_bits(stream, i) % vocabulary));
  return text;
}

double timed_logits_error(Decoder& decoder, const Text& text) {
  const std::vector<float> logits = logits_one_by_one(decoder, text);
  return logit_error(
      logits, reference_logits(decoder.setup().shape, stored_parameters(decoder), text), text);
}

double cache_error(Decoder& decoder, const Text& text) {
  const std::size_t size = text.sequences * decoder.setup().shape.tokens();
  decoder.reset();
  const float* logits = decoder.advance(text.tokens.data(), text.length);
  const std::vector<float> whole(logits, logits + size);
  decoder.reset();
  for (std::size_t position = 0; position < text.length; ++position)
    logits = decoder.advance(text.part(position, 1).tokens.data(), 1);
  return largest_relative_error(logits, whole.data(), size);
}

}  // namespace perf::workloads
