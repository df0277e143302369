#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "workloads/kernels/arena.h"
#include "workloads/micro/micro_run.h"
#include "workloads/model/model_shape.h"

namespace perf::workloads {

/// A model's embedding of one sequence: forward copies the rows of a table that tokens name,
/// backward adds a gradient's rows to those of another, whose values grow from call to call, as in
/// training they do from one part of a batch to the next.
class EmbeddingWork {
 public:
  EmbeddingWork(const ModelShape& model, std::size_t length, std::uint64_t seed);
  /// Bytes that it takes.
  static std::size_t bytes(const ModelShape& model, std::size_t length);

  void forward();
  void backward();
  /// Holds this object by its address.
  MicroWork work();

  /// Largest difference from the table's rows: of copies, so 0.
  double output_error() const;
  /// How far the gradient of the table is from n times the sums by token, over all of it, relative
  /// to the largest: after n calls. NaN for NaN.
  double gradient_error() const;
  /// Each of the additions rounds the sum by half a last place at most.
  double gradient_tolerance() const;

  /// Frequent tokens come several times, as words do in text.
  const std::vector<int>& tokens() const { return tokens_; }
  float* output() { return out_; }
  float* table_gradient() { return grad_table_; }

 private:
  std::size_t most_repeated() const;

  std::size_t width_, vocabulary_;
  std::vector<int> tokens_;
  std::uint32_t table_seed_, gradient_seed_;
  Arena memory_;
  float *table_, *grad_table_;  // (vocabulary,width)
  float *out_, *grad_;          // (length,width)
  std::int64_t backward_calls_ = 0;
};

}  // namespace perf::workloads
