#include "workloads/quantization/in_memory.h"

#include <fmt/format.h>

#include <cstring>

#include "workloads/program/error.h"
#include "workloads/program/memory.h"

namespace perf::workloads {

namespace {

std::size_t input_room(const TensorSource& source) {
  std::size_t sum = 0;
  for (const Tensor& tensor : source.tensors()) {
    sum += Arena::room<float>(tensor.values());
  }
  return sum;
}

std::size_t output_room(const TensorSource& source, const Scheme& scheme) {
  std::size_t sum = 0;
  for (const Tensor& tensor : source.tensors()) {
    sum += QuantizedMatrix::room(scheme, tensor.rows, tensor.columns);
  }
  return sum;
}

// The input's size, once it is known that everything fits.
std::size_t affordable_input(const TensorSource& source, const Scheme& scheme) {
  try {
    require_memory(InMemoryQuantization::memory(source, scheme),
                   fmt::format("{} parameters in memory", source.values()));
  } catch (const Error& error) {
    throw Error(error.what_happened, error.subject,
                "--mode streaming, which takes as much for every model, or a smaller --model");
  }
  return input_room(source);
}

std::vector<float*> read_all(const TensorSource& source, Arena& memory) {
  std::vector<float*> values;
  for (std::size_t i = 0; i < source.tensors().size(); ++i) {
    const Tensor& tensor = source.tensors()[i];
    values.push_back(memory.take<float>(tensor.values()));
    source.read(i, 0, tensor.rows, values.back());
  }
  return values;
}

}  // namespace

std::size_t InMemoryQuantization::memory(const TensorSource& source, const Scheme& scheme) {
  return input_room(source) + output_room(source, scheme);
}

InMemoryQuantization::InMemoryQuantization(const TensorSource& source, const Scheme& scheme)
    : source_(source),
      input_(affordable_input(source, scheme)),
      values_(read_all(source, input_)),
      baseline_memory_(resident_memory()),
      output_(output_room(source, scheme)) {
  for (const Tensor& tensor : source.tensors()) {
    quantized_.push_back(QuantizedMatrix::take(scheme, tensor.rows, tensor.columns, output_));
  }
}

void InMemoryQuantization::step(perf_compare::StepEmitter& out) {
  const std::vector<Tensor>& tensors = source_.tensors();
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    quantize(values_[i], quantized_[i]);
    if (i + 1 == tensors.size() || tensors[i + 1].part != tensors[i].part) {
      out.phase(tensors[i].part);
    }
  }
}

void InMemoryQuantization::spoil_output() {
  for (const QuantizedMatrix& matrix : quantized_) {
    std::memset(matrix.codes, 0xff, matrix.code_bytes());
    std::memset(matrix.scales, 0xff, matrix.scale_bytes());
  }
}

}  // namespace perf::workloads
