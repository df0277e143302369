#include "workloads/quantization/tensor_agreement.h"

#include <stdexcept>
#include <vector>

namespace perf::workloads {

namespace {

float rounded(float value, DType dtype) {
  switch (dtype) {
    case DType::fp32:
      return value;
    case DType::bf16:
      return widen(narrow<Bf16>(value));
    case DType::fp16:
      return widen(narrow<Fp16>(value));
  }
  throw std::logic_error("no such dtype");
}

}  // namespace

std::size_t values_that_differ(const TensorSource& file, const TensorSource& wanted, DType dtype) {
  std::size_t different = 0;
  std::vector<float> found, expected;
  for (std::size_t i = 0; i < wanted.tensors().size(); ++i) {
    const Tensor& tensor = wanted.tensors()[i];
    found.resize(tensor.columns);
    expected.resize(tensor.columns);
    for (const std::size_t row : {std::size_t{0}, tensor.rows / 2, tensor.rows - 1}) {
      file.read(i, row, 1, found.data());
      wanted.read(i, row, 1, expected.data());
      for (std::size_t column = 0; column < tensor.columns; ++column) {
        different += found[column] == rounded(expected[column], dtype) ? 0 : 1;
      }
    }
  }
  return different;
}

}  // namespace perf::workloads
