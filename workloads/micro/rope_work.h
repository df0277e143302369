#pragma once

#include <cstddef>
#include <cstdint>

#include "workloads/kernels/arena.h"
#include "workloads/kernels/qkv_rows.h"
#include "workloads/micro/micro_run.h"
#include "workloads/model/model_shape.h"

namespace perf::workloads {

/// Rotary embedding of one sequence as training has it, forward on queries, keys and values side by
/// side, backward on their gradient. Both replace what they read, so that n calls turn by n times
/// the angle.
class RopeWork {
 public:
  RopeWork(const ModelShape& model, std::size_t length, std::uint64_t seed);
  /// Bytes that it takes.
  static std::size_t bytes(const ModelShape& model, std::size_t length);

  void forward();
  void backward();
  /// Holds this object by its address.
  MicroWork work();

  /// After n calls, how far the last result is from the closed form, relative to its largest value;
  /// over all of it. NaN for NaN.
  double output_error() const;
  double gradient_error() const;
  double bias_gradient_error() const;
  /// Each call rounds the result by half a last place, and turns by an angle that is as much off.
  double tolerance() const;
  /// A sum of `length` rows, whose terms may cancel.
  double bias_gradient_tolerance() const;

  const QkvRows& shape() const { return shape_; }
  float* qkv() { return qkv_; }
  float* gradient() { return grad_; }
  float* bias_gradient() { return grad_bias_; }

 private:
  QkvRows shape_;
  double theta_;
  std::uint64_t seed_;
  Arena memory_;
  float *qkv_, *grad_;        // (rows,width)
  float *bias_, *grad_bias_;  // (width)
  float *cosines_, *sines_;   // (length,size/2)
  std::int64_t forward_calls_ = 0, backward_calls_ = 0;
};

}  // namespace perf::workloads
