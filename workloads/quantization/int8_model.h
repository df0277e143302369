#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "workloads/kernels/arena.h"
#include "workloads/quantization/synthetic_model.h"

namespace perf::workloads {

/// A synthetic model and its int8 copy, in one arena.
class Int8Model {
 public:
  /// Nearly normal weights from `seed`. Throws std::bad_alloc.
  Int8Model(const SyntheticShape& shape, std::uint64_t seed);

  /// Bytes of an Int8Model of this shape.
  static std::size_t bytes(const SyntheticShape& shape);

  /// Quantizes every tensor of one part: embedding, attention or mlp.
  void quantize(std::string_view part);

  /// 10 log10 of signal power over noise power, over all tensors.
  double signal_to_noise() const;

  struct Errors {
    double levels = 0;    ///< share of values on another level than the reference's
    double scales = 0;    ///< largest relative difference from the reference's scales
    double rounding = 0;  ///< largest distance from a value to its level, in levels
  };
  /// Over the first and the last `rows` rows of every tensor, that is the ends of what the first
  /// and the last thread worked on.
  Errors errors(std::size_t rows) const;

  std::size_t input_bytes() const;
  std::size_t output_bytes() const;  ///< levels and scales
  std::int8_t* levels(std::size_t tensor) { return slots_[tensor].levels; }

 private:
  struct Slot {
    Tensor tensor;
    float* weights;       // (rows,columns)
    std::int8_t* levels;  // (rows,columns)
    float* scales;        // (rows)
  };
  Arena arena_;
  std::vector<Slot> slots_;
};

}  // namespace perf::workloads
