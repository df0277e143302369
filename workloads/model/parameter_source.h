#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "workloads/kernels/quantize.h"
#include "workloads/model/model_shape.h"

namespace perf::workloads {

/// Where a model's parameters come from: random numbers from a seed, or a checkpoint. Read piece by
/// piece, so that whoever stores them in another form never holds them twice.
class ParameterSource {
 public:
  virtual ~ParameterSource() = default;
  virtual const ModelShape& shape() const = 0;
  /// Values first .. first + count of a tensor of ModelLayout(shape()). By several threads at once.
  virtual void read(const ModelTensor& tensor, std::size_t first, std::size_t count,
                    float* values) const = 0;
  /// How its matrices are quantized, where they are, and rows first .. first + to.rows of one of
  /// them, as they are stored. By several threads at once.
  virtual std::optional<Scheme> scheme() const { return std::nullopt; }
  virtual void read_codes(const ModelTensor&, std::size_t, const QuantizedMatrix&) const {}
};

/// fill_initial_weights() of a seed, in fp32.
class SeededParameters : public ParameterSource {
 public:
  SeededParameters(const ModelShape& shape, std::uint64_t seed) : shape_(shape), seed_(seed) {}
  const ModelShape& shape() const override { return shape_; }
  void read(const ModelTensor& tensor, std::size_t first, std::size_t count,
            float* values) const override;

 private:
  ModelShape shape_;
  std::uint64_t seed_;
};

}  // namespace perf::workloads
