#include "workloads/training/attention_block.h"

#include "workloads/kernels/rms_norm.h"
#include "workloads/kernels/rotary.h"

namespace perf::workloads {

template <class T>
AttentionBlock<T>::AttentionBlock(const TrainingSetup& setup, const TrainingMemory<T>& arrays,
                                  LayerProducts<T>& products, Ledger& memory)
    : layout_(setup.shape),
      train_all_(setup.trains_all()),
      rows_(qkv_rows(setup)),
      arrays_(arrays),
      products_(products),
      attention_(rows_, memory) {
  if (!memory.counting()) {
    rotary_table(layout_.shape.rope_theta, rows_.length, rows_.size, arrays.cosines, arrays.sines,
                 layout_.shape.rope_scaling);
  }
}

template <class T>
void AttentionBlock<T>::forward(int layer, const T* in) {
  const LayerActivations<T>& own = arrays_.layers[static_cast<std::size_t>(layer)];
  const T* parameters = arrays_.parameters;
  const std::size_t rows = rows_.rows(), width = layout_.shape.width();
  rms_norm_forward(in, parameters + layout_.attention_norm(layer), own.normed1, own.inverse_rms1,
                   rows, width, layout_.shape.norm_epsilon);
  products_.forward(LayerMatrix::qkv, layer, own.normed1, nullptr, own.qkv);
  const bool has_bias = layout_.shape.has_qkv_bias;
  bias_and_rotate(rows_, own.qkv, has_bias ? parameters + layout_.qkv_bias(layer) : nullptr,
                  arrays_.cosines, arrays_.sines);
  attention_.forward(own.qkv, own.attention, own.log_sums);
  products_.forward(LayerMatrix::out, layer, own.attention, in, own.middle);
}

template <class T>
void AttentionBlock<T>::backward(int layer, const T* in) {
  const LayerActivations<T>& own = arrays_.layers[static_cast<std::size_t>(layer)];
  const LayerGradients<T>& grad = arrays_.grad;
  T* gradients = train_all_ ? arrays_.gradients : nullptr;
  if (!products_.backward(LayerMatrix::out, layer, own.attention, grad.stream, grad.attention)) {
    return;
  }
  attention_.backward(own.qkv, own.attention, own.log_sums, grad.attention, grad.qkv);
  const bool trains_bias = train_all_ && layout_.shape.has_qkv_bias;
  rotate_back(rows_, grad.qkv, trains_bias ? gradients + layout_.qkv_bias(layer) : nullptr,
              arrays_.cosines, arrays_.sines);
  if (!products_.backward(LayerMatrix::qkv, layer, own.normed1, grad.qkv, grad.normed)) {
    return;
  }
  const std::size_t gain = layout_.attention_norm(layer);
  rms_norm_backward(in, arrays_.parameters + gain, own.inverse_rms1, grad.normed, grad.stream,
                    train_all_ ? gradients + gain : nullptr, grad.partial_sums, rows_.rows(),
                    layout_.shape.width());
}

template class AttentionBlock<float>;
template class AttentionBlock<Bf16>;
template class AttentionBlock<Fp16>;

}  // namespace perf::workloads
