#include "workloads/inference/decoder_reference.h"

#include <cmath>

#include "workloads/kernels/decoder_parts.h"

namespace perf::workloads {

namespace {

using Row = std::vector<double>;
using Rows = std::vector<Row>;  // one row a position

Row normalized(const Row& x, const float* gain) {
  double squares = 0;
  for (const double value : x)
    squares += value * value;
  const double scale = 1 / std::sqrt(squares / static_cast<double>(x.size()) + kRmsEpsilon);
  Row out(x.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    out[i] = x[i] * scale * gain[i];
  return out;
}

Row product(const float* weights, std::size_t outputs, const Row& x) {
  Row out(outputs);
#pragma omp parallel for
  for (std::size_t row = 0; row < outputs; ++row)
    for (std::size_t i = 0; i < x.size(); ++i)
      out[row] += weights[row * x.size() + i] * x[i];
  return out;
}

// Turns the pair (i, i + size/2) of the head at `head` by position * 10000^(-2i/size).
void rotate(double* head, std::size_t size, std::size_t position) {
  for (std::size_t i = 0; i < size / 2; ++i) {
    const double exponent = -2.0 * static_cast<double>(i) / static_cast<double>(size);
    const double angle = static_cast<double>(position) * std::pow(10000.0, exponent);
    const double low = head[i], high = head[i + size / 2];
    head[i] = low * std::cos(angle) - high * std::sin(angle);
    head[i + size / 2] = high * std::cos(angle) + low * std::sin(angle);
  }
}

// What query head `head` of the last of `qkv`'s rows sees: rows 0 .. last.
Row attended(const DecoderShape& shape, const Rows& qkv, std::size_t last, std::size_t head) {
  const std::size_t size = shape.head_size();
  const std::size_t kv_head =
      head * static_cast<std::size_t>(shape.kv_heads) / static_cast<std::size_t>(shape.heads);
  const std::size_t key = shape.width() + kv_head * size, value = key + shape.kv_width();
  Row scores(last + 1), out(size);
  double sum = 0;
  for (std::size_t row = 0; row <= last; ++row) {
    double dot = 0;
    for (std::size_t i = 0; i < size; ++i)
      dot += qkv[last][head * size + i] * qkv[row][key + i];
    sum += scores[row] = std::exp(dot / std::sqrt(static_cast<double>(size)));
  }
  for (std::size_t row = 0; row <= last; ++row)
    for (std::size_t i = 0; i < size; ++i)
      out[i] += scores[row] / sum * qkv[row][value + i];
  return out;
}

void attend(const DecoderShape& shape, const DecoderLayer& layer, Rows& x) {
  const std::size_t size = shape.head_size();
  Rows qkv;
  for (std::size_t row = 0; row < x.size(); ++row) {
    qkv.push_back(product(layer.qkv, shape.qkv_width(), normalized(x[row], layer.attention_norm)));
    const std::size_t rotated = shape.width() + shape.kv_width();  // queries and keys
    for (std::size_t offset = 0; offset < rotated; offset += size)
      rotate(&qkv[row][offset], size, row);
  }
  for (std::size_t row = 0; row < x.size(); ++row) {
    Row heads;
    for (std::size_t head = 0; head < static_cast<std::size_t>(shape.heads); ++head)
      for (const double value : attended(shape, qkv, row, head))
        heads.push_back(value);
    const Row branch = product(layer.out, shape.width(), heads);
    for (std::size_t i = 0; i < branch.size(); ++i)
      x[row][i] += branch[i];
  }
}

void feed_forward(const DecoderShape& shape, const DecoderLayer& layer, Row& x) {
  const Row both = product(layer.gate_up, 2 * shape.inner(), normalized(x, layer.mlp_norm));
  Row activated(shape.inner());
  for (std::size_t i = 0; i < activated.size(); ++i)
    activated[i] = both[i] / (1 + std::exp(-both[i])) * both[shape.inner() + i];
  const Row branch = product(layer.down, shape.width(), activated);
  for (std::size_t i = 0; i < branch.size(); ++i)
    x[i] += branch[i];
}

}  // namespace

std::vector<double> reference_logits(const Decoder& decoder, const std::vector<int>& tokens) {
  const DecoderShape& shape = decoder.shape();
  Rows x;
  for (const int token : tokens) {
    const float* row = decoder.embedding() + static_cast<std::size_t>(token) * shape.width();
    x.emplace_back(row, row + shape.width());
  }
  for (const DecoderLayer& layer : decoder.layers()) {
    attend(shape, layer, x);
    for (Row& row : x)
      feed_forward(shape, layer, row);
  }
  return product(decoder.embedding(), shape.tokens(), normalized(x.back(), decoder.final_norm()));
}

}  // namespace perf::workloads
