#include "workloads/inference/load_check.h"

#include <cstdint>
#include <cstring>
#include <set>
#include <vector>

#include "workloads/kernels/agreement.h"
#include "workloads/kernels/quantized_group.h"

namespace perf::workloads {

namespace {

// As the format and the types say, byte by byte, and nothing of how a checkpoint is read.
float value_in(const MappedTensor& tensor, std::size_t index) {
  if (tensor.entry.type == "F32") {
    float value = 0;
    std::memcpy(&value, tensor.data + index * sizeof value, sizeof value);
    return value;
  }
  std::uint16_t bits = 0;
  std::memcpy(&bits, tensor.data + index * sizeof bits, sizeof bits);
  return tensor.entry.type == "BF16" ? widen(Bf16{bits}) : widen(Fp16{bits});
}

// The same of a code and its scale.
float meant_by(const Scheme& scheme, const MappedTensor& codes, const MappedTensor& scales,
               std::size_t row, std::size_t column) {
  const std::size_t bits = bits_of(scheme.type), in_byte = 8 / bits;
  const auto byte =
      static_cast<unsigned>(codes.data[row * codes.entry.shape[1] + column / in_byte]);
  const unsigned code = byte >> (column % in_byte * bits) & ((1U << bits) - 1);
  const auto integer = static_cast<int>(code);
  const int sign = 1 << (bits - 1);
  const float level = scheme.type == CodeType::nf4
                          ? kNf4Levels[code]
                          : static_cast<float>(integer >= sign ? integer - 2 * sign : integer);
  const std::size_t group = scheme.group == 0 ? 0 : column / scheme.group;
  return level * value_in(scales, row * scales.entry.shape[1] + group);
}

std::set<std::size_t> checked_rows(std::size_t rows) {
  return {0, rows / 7, rows / 3, rows / 2, rows - 1};
}

}  // namespace

double loaded_weights_error(const Decoder& decoder, const Checkpoint& checkpoint) {
  double worst = 0;
  for (const ModelTensor& tensor : ModelLayout(checkpoint.shape()).tensors()) {
    const bool matrix = tensor.shape.size() == 2;
    const bool quantized = matrix && checkpoint.scheme();
    const MappedTensor& stored = checkpoint.tensor(quantized ? tensor.name + kCodes : tensor.name);
    const MappedTensor& scales = quantized ? checkpoint.tensor(tensor.name + kScales) : stored;
    const std::size_t columns = tensor.shape.back();
    for (const std::size_t row : checked_rows(matrix ? tensor.shape[0] : 1)) {
      std::vector<float> want(columns);
      for (std::size_t i = 0; i < columns; ++i) {
        want[i] = quantized ? meant_by(*checkpoint.scheme(), stored, scales, row, i)
                            : value_in(stored, row * columns + i);
      }
      if (matrix) {
        want = rounded_reference(decoder.setup().weights, want, columns);
      }
      const std::vector<float> got = decoder.parameters(tensor.offset + row * columns, columns);
      keep_worse(worst, largest_relative_error(got.data(), want.data(), columns));
    }
  }
  return worst;
}

double source_error(Decoder& decoder, const std::vector<int>& prompt,
                    const ParameterSource& source) {
  const std::size_t length = prompt.size() / decoder.setup().sequences;
  const std::size_t count = decoder.setup().sequences * decoder.setup().shape.tokens();
  decoder.reset();
  const float* logits = decoder.advance(prompt.data(), length);
  const std::vector<float> stored(logits, logits + count);
  decoder.load(source);
  decoder.reset();
  const float* want = decoder.advance(prompt.data(), length);
  return largest_relative_error(stored.data(), want, count);
}

}  // namespace perf::workloads
