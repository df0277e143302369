#include "workloads/training/step_operations.h"

#include "workloads/kernels/causal_attention.h"
#include "workloads/training/layer_matrices.h"

namespace perf::workloads {

namespace {

double product(std::size_t m, std::size_t n, std::size_t k) {
  return 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
}

// A matrix: up, down to its input where anything below needs that, and its own gradient. Adapters
// beside a frozen one: in A^T, low B^T; dB, dlow, dA, and where it goes further din.
double matrix_operations(const TrainingSetup& setup, int layer, LayerMatrix matrix) {
  const std::size_t rows = setup.rows();
  const bool further = GradientReach(setup.shape, setup.lora).inputs(layer, matrix);
  const MatrixSize size = size_of(setup.shape, matrix);
  double sum = (1 + (further ? 1 : 0) + (setup.trains_all() ? 1 : 0)) *
               product(rows, size.outputs, size.inputs);
  const auto rank = static_cast<std::size_t>(setup.lora.rank);
  for (const LoraLayout::Adapter& adapter : LoraLayout(setup.shape, setup.lora).adapters) {
    if (adapter.layer == layer && matrix_of(adapter.target) == matrix) {
      sum += (further ? 3 : 2) * product(rows, rank, adapter.inputs) +
             3 * product(rows, rank, adapter.outputs);
    }
  }
  return sum;
}

}  // namespace

double attention_block_operations(const TrainingSetup& setup, int layer) {
  const QkvRows attention = qkv_rows(setup);
  double sum = matrix_operations(setup, layer, LayerMatrix::qkv) +
               matrix_operations(setup, layer, LayerMatrix::out) +
               CausalAttention<float>::forward_operations(attention);
  if (GradientReach(setup.shape, setup.lora).outputs(layer, LayerMatrix::qkv)) {
    sum += CausalAttention<float>::backward_operations(attention);
  }
  return sum;
}

double mlp_block_operations(const TrainingSetup& setup, int layer) {
  return matrix_operations(setup, layer, LayerMatrix::gate_up) +
         matrix_operations(setup, layer, LayerMatrix::down);
}

double step_operations(const TrainingSetup& setup) {
  const ModelShape& shape = setup.shape;
  // Logits, the gradient of their input, and that of the embedding.
  double sum = (setup.trains_all() ? 3 : 2) * product(setup.rows(), shape.tokens(), shape.width());
  for (int layer = 0; layer < shape.layers; ++layer) {
    sum += attention_block_operations(setup, layer) + mlp_block_operations(setup, layer);
  }
  return sum;
}

}  // namespace perf::workloads
