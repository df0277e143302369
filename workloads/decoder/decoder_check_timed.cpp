#include "workloads/decoder/decoder_check_timed.h"

#include <algorithm>
#include <set>

#include "workloads/kernels/agreement.h"
#include "workloads/kernels/random.h"
#include "workloads/model/random_tokens.h"

namespace perf::workloads {

namespace {

constexpr std::uint32_t kTimedStream = 2'000'003, kRowStream = 2'000'004;
constexpr int kRandomRows = 4;  // of each tensor

}  // namespace

Text random_text(const DecoderSetup& setup, std::size_t length, std::uint64_t seed) {
  Text text{.sequences = setup.sequences,
            .length = std::min({length, setup.capacity, setup.most_rows / setup.sequences}),
            .tokens = {}};
  text.tokens = random_tokens(derived_seed(seed, kTimedStream), text.sequences * text.length,
                              setup.shape.tokens());
  return text;
}

double timed_logits_error(Decoder& decoder, const reference::ParameterReader& stored,
                          const Text& text) {
  const std::vector<float> logits = logits_one_by_one(decoder, text);
  return logit_error(logits, reference_logits(decoder.setup().shape, stored, text), text);
}

double cache_error(Decoder& one_by_one, Decoder& one_piece, const Text& text) {
  const std::size_t size = text.sequences * one_piece.setup().shape.tokens();
  one_piece.reset();
  const float* logits = one_piece.advance(text.tokens.data(), text.length);
  const std::vector<float> whole(logits, logits + size);
  one_by_one.reset();
  const std::size_t lead = text.length - std::min(text.length, kTimedPiece);
  if (lead > 0) {
    one_by_one.advance(text.part(0, lead).tokens.data(), lead);
  }
  for (std::size_t position = lead; position < text.length; ++position) {
    logits = one_by_one.advance(text.part(position, 1).tokens.data(), 1);
  }
  return largest_relative_error(logits, whole.data(), size);
}

double some_weights_error(const Decoder& decoder, const ParameterSource& source,
                          std::uint64_t seed) {
  const std::uint32_t stream = derived_seed(seed, kRowStream);
  std::uint32_t drawn = 0;
  double worst = 0;
  for (const ModelTensor& tensor : ModelLayout(source.shape()).tensors()) {
    const bool matrix = tensor.shape.size() == 2;
    const std::size_t columns = tensor.shape.back(), rows = matrix ? tensor.shape[0] : 1;
    const std::size_t block = std::min(DecoderWeights::rows_at_once(columns), rows - 1);
    std::set<std::size_t> some = {0, block - std::min<std::size_t>(block, 1), block, rows - 1};
    for (int i = 0; i < kRandomRows; ++i) {
      some.insert(random_bits(stream, drawn++) % rows);
    }
    for (const std::size_t row : some) {
      std::vector<float> want(columns);
      source.read(tensor, row * columns, columns, want.data());
      if (matrix) {
        want = rounded_reference(decoder.setup().weights, want, columns);
      }
      const std::vector<float> got = decoder.parameters(tensor.offset + row * columns, columns);
      keep_worse(worst, largest_relative_error(got.data(), want.data(), columns));
    }
  }
  return worst;
}

}  // namespace perf::workloads
