#include "workloads/decoder/decoder_weights.h"

#include <algorithm>
#include <exception>
#include <stdexcept>

namespace perf::workloads {

namespace {

constexpr std::size_t kBlockValues = 1 << 16;  // read at once: stays in the second-level cache

/// Rows of a matrix, or a vector, that ModelLayout has from `offset` on.
struct Part {
  std::size_t offset, rows, columns;
  const WeightMatrix* matrix;  ///< null for a vector, which is one row
  float* vector;

  std::size_t end() const { return offset + rows * columns; }
};

// All of them, in their order.
std::vector<Part> parts_of(const DecoderWeights& weights) {
  std::vector<Part> parts;
  std::size_t offset = 0;
  const auto matrix = [&](const WeightMatrix& of) {
    parts.push_back({offset, of.rows, of.columns, &of, nullptr});
    offset = parts.back().end();
  };
  const auto vector = [&](float* values, std::size_t count) {
    parts.push_back({offset, 1, count, nullptr, values});
    offset = parts.back().end();
  };
  const std::size_t width = weights.shape.width();
  matrix(weights.embedding);
  for (const DecoderWeights::Layer& layer : weights.layers) {
    vector(layer.attention_norm, width);
    matrix(layer.qkv);
    vector(layer.qkv_bias, weights.shape.bias_width());
    matrix(layer.out);
    vector(layer.mlp_norm, width);
    matrix(layer.gate_up);
    matrix(layer.down);
  }
  vector(weights.final_norm, width);
  if (!weights.shape.is_tied) {
    matrix(weights.output);
  }
  return parts;
}

/// Some rows of a tensor as it is published, and where they go.
struct Block {
  const ModelTensor* tensor;
  std::size_t first, count;  ///< values of the tensor
  const Part* part;
  std::size_t row;  ///< of the part
};

std::vector<Block> blocks_of(const std::vector<ModelTensor>& tensors,
                             const std::vector<Part>& parts) {
  std::vector<Block> blocks;
  auto part = parts.begin();
  for (const ModelTensor& tensor : tensors) {
    while (part->end() <= tensor.offset) {
      ++part;
    }
    const bool whole = part->matrix == nullptr;
    const std::size_t columns = part->columns;
    const std::size_t step =
        whole ? tensor.values() : DecoderWeights::rows_at_once(columns) * columns;
    for (std::size_t first = 0; first < tensor.values(); first += step) {
      blocks.push_back({&tensor, first, std::min(step, tensor.values() - first), &*part,
                        (tensor.offset - part->offset + first) / columns});
    }
  }
  return blocks;
}

void load_block(const ParameterSource& source, const Block& block, std::vector<float>& values) {
  const Part& part = *block.part;
  if (part.matrix == nullptr)  // the biases of q, k and v are parts of one vector
  {
    return source.read(*block.tensor, block.first, block.count,
                       part.vector + (block.tensor->offset - part.offset) + block.first);
  }
  WeightMatrix to = *part.matrix;
  if (const std::optional<Scheme> scheme = source.scheme();
      scheme && scheme == stored_scheme(to.type)) {  // no rounding: as it is stored
    const std::size_t rows = block.count / part.columns;
    QuantizedMatrix some{*scheme, rows, part.columns};
    std::vector<std::uint8_t> codes(some.code_bytes());
    std::vector<std::byte> scales(some.scale_bytes());
    some.codes = codes.data();
    some.scales = scales.data();
    source.read_codes(*block.tensor, block.first / part.columns, some);
    return pack_codes(some, block.row, to);
  }
  values.resize(block.count);
  source.read(*block.tensor, block.first, block.count, values.data());
  pack_rows(values.data(), block.row, block.count / part.columns, to);
}

bool same_parameters(const ModelShape& a, const ModelShape& b) {
  return a.layers == b.layers && a.hidden == b.hidden && a.heads == b.heads &&
         a.kv_heads == b.kv_heads && a.head_size == b.head_size &&
         a.intermediate == b.intermediate && a.vocabulary == b.vocabulary &&
         a.is_tied == b.is_tied && a.has_qkv_bias == b.has_qkv_bias;
}

}  // namespace

DecoderWeights DecoderWeights::take(const ModelShape& shape, WeightType type, Ledger& memory) {
  DecoderWeights weights;
  weights.shape = shape;
  const auto vector = [&](std::size_t count) {
    return memory.take<float>(Purpose::weights, count);
  };
  const auto matrix = [&](std::size_t rows, std::size_t columns) {
    return WeightMatrix::take(type, rows, columns, memory);
  };
  weights.embedding = matrix(shape.tokens(), shape.width());
  for (int index = 0; index < shape.layers; ++index) {
    Layer layer;
    layer.attention_norm = vector(shape.width());
    layer.qkv = matrix(shape.qkv_width(), shape.width());
    layer.qkv_bias = shape.has_qkv_bias ? vector(shape.qkv_width()) : nullptr;
    layer.out = matrix(shape.width(), shape.query_width());
    layer.mlp_norm = vector(shape.width());
    layer.gate_up = matrix(2 * shape.inner(), shape.width());
    layer.down = matrix(shape.width(), shape.inner());
    weights.layers.push_back(layer);
  }
  weights.final_norm = vector(shape.width());
  weights.output = shape.is_tied ? weights.embedding : matrix(shape.tokens(), shape.width());
  return weights;
}

std::size_t DecoderWeights::rows_at_once(std::size_t columns) {
  return std::max<std::size_t>(kBlockValues / columns, 1);
}

void DecoderWeights::load(const ParameterSource& source) {
  if (!same_parameters(shape, source.shape())) {
    throw std::invalid_argument("parameters of another shape than the decoder's");
  }
  const std::vector<ModelTensor> tensors = ModelLayout(shape).tensors();
  const std::vector<Part> parts = parts_of(*this);
  const std::vector<Block> blocks = blocks_of(tensors, parts);
  std::exception_ptr failure;
#pragma omp parallel
  {
    std::vector<float> values;
#pragma omp for schedule(dynamic)
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      try {
        load_block(source, blocks[i], values);
      } catch (...) {
#pragma omp critical(decoder_weights_failure)
        failure = std::current_exception();
      }
    }
  }
  if (failure) {
    std::rethrow_exception(failure);
  }
}

std::vector<float> DecoderWeights::parameters(std::size_t offset, std::size_t count) const {
  const std::size_t end = offset + count;
  std::vector<float> values(count);
  for (const Part& part : parts_of(*this)) {
    const std::size_t from = std::max(offset, part.offset), to = std::min(end, part.end());
    if (from >= to) {
      continue;
    }
    if (part.matrix == nullptr) {
      std::copy(part.vector + (from - part.offset), part.vector + (to - part.offset),
                values.data() + (from - offset));
      continue;
    }
    const std::size_t first = (from - part.offset) / part.columns;
    const std::size_t last = (to - part.offset + part.columns - 1) / part.columns;
    std::vector<float> rows((last - first) * part.columns);
    unpack_rows(*part.matrix, first, last - first, rows.data());
    const float* start = rows.data() + (from - part.offset - first * part.columns);
    std::copy(start, start + (to - from), values.data() + (from - offset));
  }
  return values;
}

std::size_t DecoderWeights::matrix_bytes() const {
  std::size_t bytes = output.bytes();
  for (const Layer& layer : layers) {
    bytes += layer.qkv.bytes() + layer.out.bytes() + layer.gate_up.bytes() + layer.down.bytes();
  }
  return bytes;
}

}  // namespace perf::workloads
