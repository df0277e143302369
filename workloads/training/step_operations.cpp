#include "workloads/training/step_operations.h"

#include "workloads/kernels/causal_attention.h"
#include "workloads/training/layer_matrices.h"

namespace perf::workloads {

namespace {

double product(std::size_t m, std::size_t n, std::size_t k) {
  return 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
}

}  // namespace

double step_operations(const TrainingSetup& setup) {
  const ModelShape& shape = setup.shape;
  const std::size_t rows = setup.rows();
  const bool train_all = setup.trains_all();
  const GradientReach reach(shape, setup.lora);
  const QkvRows attention = qkv_rows(setup);

  // Logits, the gradient of their input, and that of the embedding.
  double sum = (train_all ? 3 : 2) * product(rows, shape.tokens(), shape.width());
  for (int layer = 0; layer < shape.layers; ++layer) {
    for (const LayerMatrix matrix :
         {LayerMatrix::qkv, LayerMatrix::out, LayerMatrix::gate_up, LayerMatrix::down}) {
      const MatrixSize size = size_of(shape, matrix);
      const int times = 1 + (reach.inputs(layer, matrix) ? 1 : 0) + (train_all ? 1 : 0);
      sum += times * product(rows, size.outputs, size.inputs);
    }
    sum += CausalAttention<float>::forward_operations(attention);
    if (reach.outputs(layer, LayerMatrix::qkv))
      sum += CausalAttention<float>::backward_operations(attention);
  }
  // Beside a frozen matrix: in A^T, low B^T; dB, dlow, dA, and where it goes further din.
  const auto rank = static_cast<std::size_t>(setup.lora.rank);
  for (const LoraLayout::Adapter& adapter : LoraLayout(shape, setup.lora).adapters) {
    const bool further = reach.inputs(adapter.layer, matrix_of(adapter.target));
    sum += (further ? 3 : 2) * product(rows, rank, adapter.inputs) +
           3 * product(rows, rank, adapter.outputs);
  }
  return sum;
}

}  // namespace perf::workloads
