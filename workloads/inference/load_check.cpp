#include "workloads/inference/load_check.h"

#include <cstdint>
#include <cstring>
#include <set>
#include <vector>

#include "workloads/kernels/agreement.h"

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

std::set<std::size_t> checked_rows(std::size_t rows) {
  return {0, rows / 7, rows / 3, rows / 2, rows - 1};
}

}  // namespace

double loaded_weights_error(const Decoder& decoder, const Checkpoint& checkpoint) {
  double worst = 0;
  for (const ModelTensor& tensor : ModelLayout(checkpoint.shape()).tensors()) {
    const MappedTensor& stored = checkpoint.tensor(tensor.name);
    const bool matrix = tensor.shape.size() == 2;
    const std::size_t columns = tensor.shape.back();
    for (const std::size_t row : checked_rows(matrix ? tensor.shape[0] : 1)) {
      std::vector<float> want(columns);
      for (std::size_t i = 0; i < columns; ++i) {
        want[i] = value_in(stored, row * columns + i);
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
