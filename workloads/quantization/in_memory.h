#pragma once

#include <cstddef>
#include <vector>

#include "workloads/kernels/arena.h"
#include "workloads/kernels/quantize.h"
#include "workloads/quantization/tensor_source.h"
#include "workloads/step_emitter.h"

namespace perf::workloads {

/// Quantizes a model that lies in memory: the values of all its matrices in one arena, what they
/// become in a second one, which is taken afterwards.
class InMemoryQuantization {
 public:
  /// Takes both and reads the values. Throws Error where the system has less memory available, and
  /// what the source throws.
  InMemoryQuantization(const TensorSource& source, const Scheme& scheme);

  /// Bytes of both arenas.
  static std::size_t memory(const TensorSource& source, const Scheme& scheme);

  /// One pass over the whole model, each part of it a phase. Allocates nothing.
  void step(perf_compare::StepEmitter& out);

  /// Fills the output with what no right step leaves (scales that are NaN), so that the checks see
  /// what the next step does not write.
  void spoil_output();

  /// Of the process, when the input was there and nothing was taken for the output.
  std::size_t baseline_memory() const { return baseline_memory_; }
  /// The values of all matrices, one after the other: what a step reads.
  const float* input() const { return values_.front(); }
  std::size_t input_bytes() const { return input_.used(); }

  const float* values(std::size_t tensor) const { return values_[tensor]; }
  const QuantizedMatrix& quantized(std::size_t tensor) const { return quantized_[tensor]; }

 private:
  const TensorSource& source_;
  Arena input_;
  std::vector<float*> values_;
  const std::size_t baseline_memory_;
  Arena output_;
  std::vector<QuantizedMatrix> quantized_;
};

}  // namespace perf::workloads
