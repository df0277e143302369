#include "workloads/training/mlp_block.h"

#include "workloads/kernels/rms_norm.h"
#include "workloads/kernels/swiglu.h"

namespace perf::workloads {

template <class T>
MlpBlock<T>::MlpBlock(const TrainingSetup& setup, const TrainingMemory<T>& arrays,
                      LayerProducts<T>& products)
    : layout_(setup.shape),
      train_all_(setup.trains_all()),
      rows_(setup.rows()),
      arrays_(arrays),
      products_(products) {}

template <class T>
void MlpBlock<T>::forward(int layer, T* out) {
  const LayerActivations<T>& own = arrays_.layers[static_cast<std::size_t>(layer)];
  const std::size_t width = layout_.shape.width();
  rms_norm_forward(own.middle, arrays_.parameters + layout_.mlp_norm(layer), own.normed2,
                   own.inverse_rms2, rows_, width, layout_.shape.norm_epsilon);
  products_.forward(LayerMatrix::gate_up, layer, own.normed2, nullptr, own.gate_up);
  swiglu_forward(own.gate_up, own.act, rows_, layout_.shape.inner());
  if (out == nullptr) {
    return products_.forward_without_output(LayerMatrix::down, layer, own.act);
  }
  products_.forward(LayerMatrix::down, layer, own.act, own.middle, out);
}

template <class T>
bool MlpBlock<T>::backward(int layer) {
  const LayerActivations<T>& own = arrays_.layers[static_cast<std::size_t>(layer)];
  const LayerGradients<T>& grad = arrays_.grad;
  if (!products_.backward(LayerMatrix::down, layer, own.act, grad.stream, grad.act)) {
    return false;
  }
  swiglu_backward(own.gate_up, grad.act, rows_, layout_.shape.inner());
  if (!products_.backward(LayerMatrix::gate_up, layer, own.normed2, own.gate_up, grad.normed)) {
    return false;
  }
  const std::size_t gain = layout_.mlp_norm(layer);
  rms_norm_backward(own.middle, arrays_.parameters + gain, own.inverse_rms2, grad.normed,
                    grad.stream, train_all_ ? arrays_.gradients + gain : nullptr, grad.partial_sums,
                    rows_, layout_.shape.width());
  return true;
}

template class MlpBlock<float>;
template class MlpBlock<Bf16>;
template class MlpBlock<Fp16>;

}  // namespace perf::workloads
