#include "workloads/inference/decoder.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "workloads/kernels/decoder_parts.h"
#include "workloads/kernels/matvec.h"
#include "workloads/kernels/random.h"

namespace perf::workloads {

Attention DecoderShape::attention() const {
  return {.heads = static_cast<std::size_t>(heads),
          .kv_heads = static_cast<std::size_t>(kv_heads),
          .size = head_size(),
          .capacity = positions()};
}

std::size_t DecoderShape::layer_parameters() const {
  return 2 * width() + qkv_width() * width() + width() * width() + 3 * inner() * width();
}

std::size_t DecoderShape::parameters() const {
  return tokens() * width() + width() + static_cast<std::size_t>(layers) * layer_parameters();
}

std::size_t DecoderShape::cache_bytes() const {
  return 2 * static_cast<std::size_t>(layers) * attention().cache_values() * sizeof(float);
}

std::size_t DecoderShape::bytes(int threads) const {
  const std::size_t row =
      3 * width() + qkv_width() + 3 * inner() + head_size() + static_cast<std::size_t>(threads);
  const std::size_t floats = parameters() + positions() * row + tokens();
  constexpr std::size_t kPadding = 64;  // at most, for each array taken
  return floats * sizeof(float) + cache_bytes() +
         kPadding * (8 * static_cast<std::size_t>(layers) + 12);
}

Decoder::Decoder(const DecoderShape& shape, Backend backend, int threads, std::uint64_t seed)
    : shape_(shape), backend_(backend), arena_(shape.bytes(threads)) {
  const std::size_t h = shape.width(), i = shape.inner(), rows = shape.positions();
  const auto take = [this](std::size_t count) { return arena_.take<float>(count); };
  embedding_ = take(shape.tokens() * h);
  final_norm_ = take(h);
  for (int layer = 0; layer < shape.layers; ++layer) {
    DecoderLayer weights{};
    weights.attention_norm = take(h);
    weights.qkv = take(shape.qkv_width() * h);
    weights.out = take(h * h);
    weights.mlp_norm = take(h);
    weights.gate_up = take(2 * i * h);
    weights.down = take(h * i);
    weights.keys = take(shape.attention().cache_values());
    weights.values = take(shape.attention().cache_values());
    layers_.push_back(weights);
  }
  cosines_ = take(rows * shape.head_size() / 2);
  sines_ = take(rows * shape.head_size() / 2);
  rope_table(cosines_, sines_, rows, shape.head_size());
  x_ = take(rows * h);
  normed_ = take(rows * h);
  attended_ = take(rows * h);
  qkv_ = take(rows * shape.qkv_width());
  gate_up_ = take(rows * 2 * i);
  activated_ = take(rows * i);
  scores_ = take(rows * static_cast<std::size_t>(threads));
  logits_ = take(shape.tokens());
  fill_weights(seed);
}

void Decoder::fill_weights(std::uint64_t seed) {
  const std::size_t h = shape_.width(), i = shape_.inner();
  std::uint32_t stream = 0;
  const auto fill = [&](float* weights, std::size_t outputs, std::size_t inputs, float gain) {
    const float bound = gain * std::sqrt(3.0F / static_cast<float>(inputs));
    fill_uniform(weights, outputs * inputs, derived_seed(seed, stream++), bound);
  };
  // Gains near 1, and different, so that a norm applied wrongly shows.
  const auto fill_gain = [&](float* gain) {
    fill_uniform(gain, h, derived_seed(seed, stream++), 0.2F);
    for (std::size_t k = 0; k < h; ++k)
      gain[k] += 1;
  };
  fill(embedding_, shape_.tokens(), h, 3);  // logits with a deviation of about 3, as trained ones
  fill_gain(final_norm_);
  const float branch = 1 / std::sqrt(2.0F * static_cast<float>(shape_.layers));
  for (const DecoderLayer& layer : layers_) {
    fill_gain(layer.attention_norm);
    fill(layer.qkv, shape_.qkv_width(), h, 1);
    fill(layer.out, h, h, branch);
    fill_gain(layer.mlp_norm);
    fill(layer.gate_up, 2 * i, h, 1);
    fill(layer.down, h, i, branch);
  }
}

void Decoder::linear(const float* weights, std::size_t outputs, std::size_t inputs, const float* in,
                     std::size_t rows, float beta, float* out) {
  if (rows == 1)
    return matvec(weights, in, beta, out, outputs, inputs);
  gemm(backend_,
       {.m = static_cast<int>(rows),
        .n = static_cast<int>(outputs),
        .k = static_cast<int>(inputs),
        .transpose_b = true,
        .beta = beta},
       in, weights, out);
}

const float* Decoder::advance(const int* tokens, std::size_t count) {
  assert(count > 0 && length_ + count <= shape_.positions());
  const std::size_t h = shape_.width();
  for (std::size_t row = 0; row < count; ++row)
    std::copy_n(embedding_ + static_cast<std::size_t>(tokens[row]) * h, h, x_ + row * h);
  for (const DecoderLayer& layer : layers_) {
    attend(layer, count);
    feed_forward(layer, count);
  }
  length_ += count;
  // Only the last row predicts a token that nobody knows yet.
  rms_norm(x_ + (count - 1) * h, final_norm_, normed_, 1, h);
  matvec(embedding_, normed_, 0, logits_, shape_.tokens(), h);
  return logits_;
}

void Decoder::attend(const DecoderLayer& layer, std::size_t count) {
  const std::size_t h = shape_.width();
  rms_norm(x_, layer.attention_norm, normed_, count, h);
  linear(layer.qkv, shape_.qkv_width(), h, normed_, count, 0, qkv_);
#pragma omp parallel for schedule(static) if (count > 1)
  for (std::size_t row = 0; row < count; ++row)
    rotate_and_store(layer, row);
  attention(shape_.attention(), qkv_, shape_.qkv_width(), layer.keys, layer.values, length_, count,
            scores_, attended_);
  linear(layer.out, h, h, attended_, count, 1, x_);
}

void Decoder::rotate_and_store(const DecoderLayer& layer, std::size_t row) {
  const std::size_t size = shape_.head_size(), position = length_ + row;
  const float* cosines = cosines_ + position * (size / 2);
  const float* sines = sines_ + position * (size / 2);
  float* queries = qkv_ + row * shape_.qkv_width();
  float* keys = queries + shape_.width();
  const float* values = keys + shape_.kv_width();
  for (std::size_t offset = 0; offset < shape_.width(); offset += size)
    rope(queries + offset, cosines, sines, size);
  for (std::size_t offset = 0; offset < shape_.kv_width(); offset += size) {
    rope(keys + offset, cosines, sines, size);
    const std::size_t slot = offset * shape_.positions() + position * size;
    std::copy_n(keys + offset, size, layer.keys + slot);
    std::copy_n(values + offset, size, layer.values + slot);
  }
}

void Decoder::feed_forward(const DecoderLayer& layer, std::size_t count) {
  const std::size_t h = shape_.width(), i = shape_.inner();
  rms_norm(x_, layer.mlp_norm, normed_, count, h);
  linear(layer.gate_up, 2 * i, h, normed_, count, 0, gate_up_);
  swiglu(gate_up_, activated_, count, i);
  linear(layer.down, h, i, activated_, count, 1, x_);
}

}  // namespace perf::workloads
