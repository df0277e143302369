#include "workloads/decoder/decoder.h"

#include <stdexcept>

#include "workloads/kernels/few_rows.h"
#include "workloads/kernels/rms_norm.h"
#include "workloads/kernels/rotary.h"
#include "workloads/kernels/swiglu.h"

namespace perf::workloads {

namespace {

const DecoderSetup& checked(const DecoderSetup& setup) {
  if (setup.sequences == 0 || setup.capacity == 0 || setup.most_rows < setup.sequences ||
      setup.logit_rows < setup.sequences) {
    throw std::invalid_argument("a decoder needs room for one row of each sequence");
  }
  return setup;
}

QkvRows rows_of(const DecoderSetup& setup, std::size_t count) {
  return {.sequences = setup.sequences,
          .length = count,
          .heads = static_cast<std::size_t>(setup.shape.heads),
          .kv_heads = static_cast<std::size_t>(setup.shape.kv_heads),
          .size = static_cast<std::size_t>(setup.shape.head_size)};
}

WeightProducts products_of(const DecoderSetup& setup, Ledger& memory) {
  const ModelShape& shape = setup.shape;
  const std::size_t columns = std::max({shape.width(), shape.query_width(), shape.inner()});
  const std::size_t logits = setup.logit_rows > kFewRows ? shape.tokens() : 0;
  const std::size_t outputs =
      std::max({shape.width(), shape.qkv_width(), 2 * shape.inner(), logits});
  // Every matrix has the width on one side.
  return {setup.backend,
          setup.weights,
          std::max(setup.most_rows, setup.logit_rows),
          columns,
          outputs,
          memory,
          outputs * shape.width()};
}

}  // namespace

Decoder::Decoder(const DecoderSetup& setup, Ledger& memory)
    : setup_(checked(setup)),
      weights_(DecoderWeights::take(setup.shape, setup.weights, memory)),
      attention_(rows_of(setup, setup.most_rows / setup.sequences), setup.capacity, memory),
      products_(products_of(setup, memory)) {
  const ModelShape& shape = setup.shape;
  const auto size = static_cast<std::size_t>(shape.head_size);
  for (int layer = 0; layer < shape.layers; ++layer) {
    caches_.push_back(KvCache::take(setup.cache, setup.sequences,
                                    static_cast<std::size_t>(shape.kv_heads), setup.capacity, size,
                                    memory));
  }
  const auto rows = [&](std::size_t count, std::size_t columns) {
    return memory.take<float>(Purpose::activations, count * columns);
  };
  stream_ = rows(setup.most_rows, shape.width());
  normed_ = rows(setup.most_rows, shape.width());
  wide_ = rows(setup.most_rows, std::max(shape.qkv_width(), 2 * shape.inner()));
  narrow_ = rows(setup.most_rows, std::max(shape.query_width(), shape.inner()));
  inverse_rms_ = rows(setup.most_rows, 1);
  last_ = rows(setup.logit_rows, shape.width());
  logits_ = rows(setup.logit_rows, shape.tokens());
  cosines_ = memory.take<float>(Purpose::workspace, setup.capacity * size / 2);
  sines_ = memory.take<float>(Purpose::workspace, setup.capacity * size / 2);
  if (!memory.counting()) {
    rotary_table(shape.rope_theta, setup.capacity, size, cosines_, sines_, shape.rope_scaling);
  }
}

const float* Decoder::advance(const int* tokens, std::size_t count) {
  forward(tokens, count, true);
  for (std::size_t sequence = 0; sequence < setup_.sequences; ++sequence) {
    normalize_last((sequence + 1) * count - 1, sequence);
  }
  return multiply_last(setup_.sequences);
}

void Decoder::pass_over(const int* tokens, std::size_t count, const std::vector<int>& rows) {
  for (const int row : rows)  // a negative one becomes a large one
  {
    if (static_cast<std::size_t>(row) >= setup_.sequences * count) {
      throw std::logic_error("logits of a row that is not there");
    }
  }
  length_ = 0;
  forward(tokens, count, false);
  length_ = 0;
}

void Decoder::forward(const int* tokens, std::size_t count, bool causal) {
  const QkvRows rows = rows_of(setup_, count);
  if (count == 0 || rows.rows() > setup_.most_rows || length_ + count > setup_.capacity) {
    throw std::logic_error("more tokens than the decoder has room for");
  }
  embed(tokens, rows.rows());
  for (std::size_t layer = 0; layer < weights_.layers.size(); ++layer) {
    attend(layer, rows, causal);
    feed_forward(weights_.layers[layer], rows.rows());
  }
  length_ += count;
}

void Decoder::embed(const int* tokens, std::size_t rows) {
  for (std::size_t row = 0; row < rows; ++row) {
    if (tokens[row] < 0 || tokens[row] >= setup_.shape.vocabulary) {
      throw std::logic_error("a token outside the vocabulary");
    }
  }
  const std::size_t width = setup_.shape.width();
#pragma omp parallel for schedule(static) if (rows > 16)
  for (std::size_t row = 0; row < rows; ++row) {
    unpack_rows(weights_.embedding, static_cast<std::size_t>(tokens[row]), 1,
                stream_ + row * width);
  }
}

void Decoder::attend(std::size_t layer, const QkvRows& rows, bool causal) {
  const ModelShape& shape = setup_.shape;
  const DecoderWeights::Layer& weights = weights_.layers[layer];
  const std::size_t start = length_ * rows.size / 2;  // of the tables
  rms_norm_forward(stream_, weights.attention_norm, normed_, inverse_rms_, rows.rows(),
                   shape.width(), shape.norm_epsilon);
  products_.multiply(weights.qkv, normed_, rows.rows(), 0, wide_);
  bias_and_rotate<float>(rows, wide_, weights.qkv_bias, cosines_ + start, sines_ + start);
  store_keys_values(rows, wide_, length_, caches_[layer]);
  attention_.forward(rows, wide_, length_, caches_[layer], causal, narrow_);
  products_.multiply(weights.out, narrow_, rows.rows(), 1, stream_);
}

void Decoder::feed_forward(const DecoderWeights::Layer& layer, std::size_t rows) {
  const ModelShape& shape = setup_.shape;
  rms_norm_forward(stream_, layer.mlp_norm, normed_, inverse_rms_, rows, shape.width(),
                   shape.norm_epsilon);
  products_.multiply(layer.gate_up, normed_, rows, 0, wide_);
  swiglu_forward(wide_, narrow_, rows, shape.inner());
  products_.multiply(layer.down, narrow_, rows, 1, stream_);
}

void Decoder::normalize_last(std::size_t row, std::size_t to) {
  const std::size_t width = setup_.shape.width();
  rms_norm_forward(stream_ + row * width, weights_.final_norm, last_ + to * width, inverse_rms_, 1,
                   width, setup_.shape.norm_epsilon);
}

const float* Decoder::multiply_last(std::size_t rows) {
  products_.multiply(weights_.output, last_, rows, 0, logits_);
  return logits_;
}

std::size_t Decoder::bytes_read() const {
  const std::size_t position = 2 * setup_.shape.kv_width() * bytes_of(setup_.cache);
  return weights_.matrix_bytes() + setup_.shape.depth() * setup_.sequences * length_ * position;
}

double Decoder::operations(std::size_t count) const {
  const ModelShape& shape = setup_.shape;
  const auto sequences = static_cast<double>(setup_.sequences), rows = sequences * double(count);
  const auto width = static_cast<double>(shape.width());
  const double matrices =
      width * static_cast<double>(shape.qkv_width() + shape.query_width() + 3 * shape.inner());
  // A query at position p meets p + 1 keys, and their values.
  const double pairs = rows * static_cast<double>(count + 1) / 2;
  const double layer = rows * matrices + 2 * pairs * static_cast<double>(shape.query_width());
  return 2 * (static_cast<double>(shape.depth()) * layer +
              sequences * width * static_cast<double>(shape.tokens()));
}

}  // namespace perf::workloads
