#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "workloads/training/attention_block.h"
#include "workloads/training/mlp_block.h"

namespace perf::workloads {

/// A layer of a decoder, or a half of it: AttentionBlock, MlpBlock.
enum class LayerPart { attention, mlp, whole };

/// One layer of this model, all of it trained. The vocabulary is 1, and of a half the other half
/// is as narrow as it goes, so that the memory is that of what runs.
TrainingSetup layer_setup(LayerPart part, const ModelShape& model);

/// A layer as training computes it (decoder_training.h), with memory and inputs of its own: weights
/// are those of fill_initial_weights(), the input (N,H) and the gradient that arrives from above
/// (N,H) nearly normal with deviation 1, all from the seed. T: float, Bf16, Fp16.
template <class T>
class LayerUnderTest {
 public:
  /// `setup`: layer_setup(), with batch, length, dtype and backend. Takes all memory. Throws
  /// std::bad_alloc.
  LayerUnderTest(LayerPart part, const TrainingSetup& setup, std::uint64_t seed);
  LayerUnderTest(const LayerUnderTest&) = delete;
  LayerUnderTest& operator=(const LayerUnderTest&) = delete;

  /// What that takes.
  static std::size_t bytes(const TrainingSetup& setup);

  /// in() -> out().
  void forward();
  /// grad_out() -> grad_in(), and the gradients of all weights. After forward(), whose gate_up it
  /// uses up.
  void backward();
  /// backward() in three steps, for who looks in between; those of the other half do nothing.
  void start_backward();
  void mlp_backward();
  void attention_backward();

  /// Fills out(), grad_in() and the gradients of the weights with NaN: what was there must not
  /// matter to the next forward() and backward().
  void spoil_results();

  LayerPart part() const { return part_; }
  const TrainingSetup& setup() const { return setup_; }
  const Ledger& memory() const { return memory_; }
  /// Weights, gradients and all that lies between input and output; layer 0's.
  const TrainingMemory<T>& arrays() const { return parts_.arrays; }
  T* in() const;                                            ///< (N,H)
  T* out() const;                                           ///< (N,H)
  T* grad_out() const { return parts_.grad_out; }           ///< (N,H)
  T* grad_in() const { return parts_.arrays.grad.stream; }  ///< (N,H)

 private:
  struct Parts {
    Parts(const TrainingSetup& setup, Ledger& memory);

    TrainingMemory<T> arrays;
    T* grad_out;
    Products<T> products;
    LayerProducts<T> layer_products;
    AttentionBlock<T> attention;
    MlpBlock<T> mlp;
  };
  static Ledger room_for(const TrainingSetup& setup);

  LayerPart part_;
  TrainingSetup setup_;
  Ledger memory_;
  Parts parts_;  // use the memory
};

/// `count` values for the checks.
template <class T>
std::vector<double> widened(const T* values, std::size_t count) {
  std::vector<double> wide(count);
  for (std::size_t i = 0; i < count; ++i) {
    wide[i] = static_cast<double>(widen(values[i]));
  }
  return wide;
}

/// Floating-point operations of the products of forward() and backward(); of attention causality's
/// half.
double layer_operations(LayerPart part, const TrainingSetup& setup);

}  // namespace perf::workloads
