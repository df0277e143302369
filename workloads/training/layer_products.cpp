#include "workloads/training/layer_products.h"

namespace perf::workloads {

template <class T>
LayerProducts<T>::LayerProducts(const TrainingSetup& setup, const TrainingMemory<T>& arrays,
                                Products<T>& products, Ledger& memory)
    : layout_(setup.shape),
      lora_(setup.shape, setup.lora),
      reach_(setup.shape, setup.lora),
      rows_(setup.rows()),
      arrays_(arrays),
      products_(products),
      low_rank_(setup, products, arrays.adapters, arrays.gradients, memory) {}

template <class T>
template <class Call>
void LayerProducts<T>::for_adapters(LayerMatrix matrix, int layer, Call call) const {
  for (const LoraLayout::Adapter& adapter : lora_.adapters) {
    if (adapter.layer != layer || matrix_of(adapter.target) != matrix) {
      continue;
    }
    T* low = arrays_.layers[static_cast<std::size_t>(layer)]
                 .low[static_cast<std::size_t>(adapter.target)];
    call(adapter, low, outputs_of(layout_.shape, adapter.target).first);
  }
}

template <class T>
void LayerProducts<T>::forward(LayerMatrix matrix, int layer, const T* in, const T* residual,
                               T* out) {
  const MatrixSize size = size_of(layout_.shape, matrix);
  if (residual != nullptr) {
    const std::size_t count = rows_ * size.outputs;
#pragma omp parallel for simd schedule(static)
    for (std::size_t i = 0; i < count; ++i) {
      out[i] = residual[i];
    }
  }
  products_.multiply({.m = static_cast<int>(rows_),
                      .n = static_cast<int>(size.outputs),
                      .k = static_cast<int>(size.inputs),
                      .transpose_b = true,
                      .beta = residual != nullptr ? 1.0F : 0.0F},
                     in, arrays_.parameters + offset_of(layout_, matrix, layer), out);
  for_adapters(matrix, layer, [&](const LoraLayout::Adapter& adapter, T* low, std::size_t first) {
    low_rank_.forward(adapter, in, low, out + first, size.outputs);
  });
}

template <class T>
void LayerProducts<T>::forward_without_output(LayerMatrix matrix, int layer, const T* in) {
  for_adapters(matrix, layer, [&](const LoraLayout::Adapter& adapter, T* low, std::size_t) {
    low_rank_.shrink(adapter, in, low);
  });
}

template <class T>
bool LayerProducts<T>::backward(LayerMatrix matrix, int layer, const T* in, const T* grad_out,
                                T* grad_in) {
  const MatrixSize size = size_of(layout_.shape, matrix);
  const int rows = static_cast<int>(rows_);
  const int outputs = static_cast<int>(size.outputs), inputs = static_cast<int>(size.inputs);
  const std::size_t offset = offset_of(layout_, matrix, layer);
  const bool needed_below = reach_.inputs(layer, matrix);
  if (needed_below) {
    products_.multiply({.m = rows, .n = inputs, .k = outputs}, grad_out,
                       arrays_.parameters + offset, grad_in);
  }
  if (lora_.adapters.empty()) {
    products_.multiply({.m = outputs, .n = inputs, .k = rows, .transpose_a = true}, grad_out, in,
                       arrays_.gradients + offset);
  }
  for_adapters(matrix, layer, [&](const LoraLayout::Adapter& adapter, T* low, std::size_t first) {
    low_rank_.backward(adapter, in, low, grad_out + first, size.outputs,
                       needed_below ? grad_in : nullptr);
  });
  return needed_below;
}

template class LayerProducts<float>;
template class LayerProducts<Bf16>;
template class LayerProducts<Fp16>;

}  // namespace perf::workloads
