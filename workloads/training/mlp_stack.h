#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "workloads/kernels/adamw.h"
#include "workloads/kernels/arena.h"
#include "workloads/kernels/products.h"

namespace perf::workloads {

/// The MLP half of a transformer, stacked. With N tokens and width H, every layer computes
///     pre (N,4H) = x (N,H) W1 (H,4H) + b1 (4H)
///     act (N,4H) = gelu(pre)
///     out (N,H)  = x + act W2 (4H,H) + b2 (H)
/// and the loss is the mean of (out - target)^2 / 2 at the top.
struct MlpShape {
  int layers = 1, hidden = 64, tokens = 64;

  std::size_t width() const { return static_cast<std::size_t>(hidden); }
  std::size_t inner() const { return 4 * width(); }
  std::size_t rows() const { return static_cast<std::size_t>(tokens); }

  /// Parameters lie one layer after the other, each as W1, b1, W2, b2.
  std::size_t layer_parameters() const { return 2 * width() * inner() + inner() + width(); }
  std::size_t parameters() const { return static_cast<std::size_t>(layers) * layer_parameters(); }
  std::size_t w1(int layer) const { return static_cast<std::size_t>(layer) * layer_parameters(); }
  std::size_t b1(int layer) const { return w1(layer) + width() * inner(); }
  std::size_t w2(int layer) const { return b1(layer) + inner(); }
  std::size_t b2(int layer) const { return w2(layer) + inner() * width(); }

  /// Floating-point operations of one step's matrix products: two forward and four backward a
  /// layer, but for the bottom layer's gradient of the input, which nobody needs.
  double operations() const;

  /// Bytes of a stack of this shape in a type, so that what does not fit is refused before it
  /// starts.
  std::size_t bytes(DType dtype = DType::fp32) const;
};

/// Weights, gradients and activations in T (float, Bf16, Fp16), optimizer state in floats, all in
/// one arena.
template <class T>
class MlpStackOf {
 public:
  /// Weights and data depend on `seed` alone. Throws std::bad_alloc.
  MlpStackOf(const MlpShape& shape, Backend backend, std::uint64_t seed);

  void forward();
  /// Returns the loss; leaves its gradient for backward().
  double loss();
  /// Fills gradients(). forward() and loss() must have run on the same parameters.
  void backward();
  void update(const AdamW& options);

  const MlpShape& shape() const { return shape_; }
  T* parameters() { return parameters_; }
  const T* parameters() const { return parameters_; }
  const T* gradients() const { return gradients_; }  ///< loss_scale() times as large
  /// A mean over N H values has gradients that Fp16 knows nothing of: they are N H times as large
  /// there.
  double loss_scale() const;
  const T* input() const { return outputs_[0]; }  ///< (N,H)
  const T* target() const { return target_; }     ///< (N,H)
  T* output() { return outputs_.back(); }         ///< (N,H)
  const T* output() const { return outputs_.back(); }

 private:
  struct Kernels;
  static const Kernels kFast, kReadable;

  MlpShape shape_;
  const Kernels* kernels_;
  Ledger scratch_;
  Products<T> products_;  // uses the scratch
  Arena arena_;
  T *parameters_, *gradients_;  // (parameters)
  float *mean_, *variance_;     // (parameters)
  T *target_, *grad_;           // (N,H)
  T* grad_inner_;               // (N,4H)
  std::vector<T*> outputs_;     // layers + 1 times (N,H); [0] is the input
  std::vector<T*> pre_, act_;   // layers times (N,4H)
  int step_ = 0;
};

using MlpStack = MlpStackOf<float>;

}  // namespace perf::workloads
