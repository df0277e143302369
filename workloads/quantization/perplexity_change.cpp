#include "workloads/quantization/perplexity_change.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "workloads/decoder/decoder_check_small.h"

namespace perf::workloads {

void QuantizedParameters::read(const ModelTensor& tensor, std::size_t first, std::size_t count,
                               float* values) const {
  source_.read(tensor, first, count, values);
  if (tensor.shape.size() < 2) {
    return;
  }
  const std::size_t columns = tensor.shape.back();
  if (first % columns != 0 || count % columns != 0) {
    throw std::invalid_argument("parts of rows of " + tensor.name + ": a scale may be a row's");
  }
  const std::size_t rows = count / columns;
  std::vector<std::uint8_t> codes(rows * scheme_.code_row_bytes(columns));
  std::vector<std::byte> scales(rows * scheme_.scale_row_bytes(columns));
  const QuantizedMatrix matrix{.scheme = scheme_,
                               .rows = rows,
                               .columns = columns,
                               .codes = codes.data(),
                               .scales = scales.data()};
  quantize(values, matrix);
  dequantize(matrix, values);
}

ModelShape perplexity_shape() {
  return {.layers = 2,
          .hidden = 256,
          .heads = 4,
          .kv_heads = 2,
          .head_size = 64,
          .intermediate = 512,
          .vocabulary = 512};
}

namespace {

// So many texts of small_prompt() tokens each are drawn side by side: each weight that is read
// serves all of them.
constexpr std::size_t kSequences = 2;

DecoderSetup setup_for(const ModelShape& shape) {
  DecoderSetup setup;
  setup.shape = shape;
  setup.sequences = kSequences;
  setup.capacity = small_prompt(kSequences);
  setup.most_rows = setup.sequences * setup.capacity;
  setup.logit_rows = setup.most_rows;
  return setup;
}

/// log p of all tokens at all positions of a text (positions,V), in double precision.
class LogProbabilities {
 public:
  LogProbabilities(const ParameterSource& source, const Text& text)
      : vocabulary_(source.shape().tokens()) {
    DecoderInMemory model(setup_for(source.shape()), source);
    logits_ = logits_in_one_piece(model.decoder(), text);
    log_sums_.resize(text.tokens.size());
#pragma omp parallel for schedule(static)
    for (std::size_t row = 0; row < log_sums_.size(); ++row) {
      const float* own = &logits_[row * vocabulary_];
      const double largest = *std::max_element(own, own + vocabulary_);
      double sum = 0;
      for (std::size_t i = 0; i < vocabulary_; ++i) {
        sum += std::exp(own[i] - largest);
      }
      log_sums_[row] = largest + std::log(sum);
    }
  }

  /// Mean over positions of the Kullback-Leibler divergence of `changed` from these, in nats.
  double divergence(const LogProbabilities& changed) const {
    std::vector<double> sums(log_sums_.size());
#pragma omp parallel for schedule(static)
    for (std::size_t row = 0; row < sums.size(); ++row) {
      for (std::size_t token = 0; token < vocabulary_; ++token) {
        const double log_p = at(row, token);
        sums[row] += std::exp(log_p) * (log_p - changed.at(row, token));
      }
    }
    double sum = 0;  // in the order of the rows, whatever the threads
    for (const double row : sums) {
      sum += row;
    }
    return sum / static_cast<double>(sums.size());
  }

 private:
  double at(std::size_t row, std::size_t token) const {
    return static_cast<double>(logits_[row * vocabulary_ + token]) - log_sums_[row];
  }

  std::size_t vocabulary_;
  std::vector<float> logits_;
  std::vector<double> log_sums_;
};

Text text_of(const ParameterSource& source, std::uint64_t seed) {
  return draw_text(setup_for(source.shape()), source, seed);
}

double change(double divergence) {
  return std::expm1(divergence);
}

}  // namespace

std::vector<double> perplexity_changes(const std::vector<Scheme>& schemes, std::uint64_t seed) {
  const SmallParameters source(perplexity_shape(), seed);
  const Text text = text_of(source, seed);
  const LogProbabilities unchanged(source, text);
  std::vector<double> changes;
  changes.reserve(schemes.size());
  for (const Scheme& scheme : schemes) {
    changes.push_back(
        change(unchanged.divergence(LogProbabilities(QuantizedParameters(source, scheme), text))));
  }
  return changes;
}

double perplexity_change(const Scheme& scheme, std::uint64_t seed) {
  return perplexity_changes({scheme}, seed).front();
}

double perplexity_change(const ParameterSource& source, const ParameterSource& changed,
                         std::uint64_t seed) {
  const Text text = text_of(source, seed);
  return change(LogProbabilities(source, text).divergence(LogProbabilities(changed, text)));
}

}  // namespace perf::workloads
