#include "workloads/training/low_rank.h"

#include <algorithm>

namespace perf::workloads {

template <class T>
LowRank<T>::LowRank(const TrainingSetup& setup, Products<T>& products, const T* adapters,
                    T* gradients, Ledger& memory)
    : products_(products),
      adapters_(adapters),
      gradients_(gradients),
      rows_(setup.rows()),
      rank_(static_cast<std::size_t>(setup.lora.rank)),
      factor_(static_cast<float>(setup.lora.alpha / std::max(setup.lora.rank, 1))) {
  grad_low_ = memory.take<T>(Purpose::workspace, rows_ * rank_);
}

template <class T>
void LowRank<T>::scale(T* low) const {
  for (std::size_t i = 0; i < rows_ * rank_; ++i) {
    low[i] = narrow<T>(factor_ * widen(low[i]));
  }
}

template <class T>
void LowRank<T>::shrink(const LoraLayout::Adapter& adapter, const T* in, T* low) {
  products_.multiply({.m = static_cast<int>(rows_),
                      .n = static_cast<int>(rank_),
                      .k = static_cast<int>(adapter.inputs),
                      .transpose_b = true},
                     in, adapters_ + adapter.a, low);
  scale(low);
}

template <class T>
void LowRank<T>::forward(const LoraLayout::Adapter& adapter, const T* in, T* low, T* out,
                         std::size_t stride) {
  shrink(adapter, in, low);
  products_.multiply({.m = static_cast<int>(rows_),
                      .n = static_cast<int>(adapter.outputs),
                      .k = static_cast<int>(rank_),
                      .transpose_b = true,
                      .beta = 1,
                      .stride_c = static_cast<int>(stride)},
                     low, adapters_ + adapter.b, out);
}

template <class T>
void LowRank<T>::backward(const LoraLayout::Adapter& adapter, const T* in, const T* low,
                          const T* grad_out, std::size_t stride, T* grad_in) {
  const int rows = static_cast<int>(rows_), rank = static_cast<int>(rank_);
  const int inputs = static_cast<int>(adapter.inputs), outputs = static_cast<int>(adapter.outputs);
  // dB (outputs,r) = dout^T low
  products_.multiply({.m = outputs,
                      .n = rank,
                      .k = rows,
                      .transpose_a = true,
                      .stride_a = static_cast<int>(stride)},
                     grad_out, low, gradients_ + adapter.b);
  // dlow (N,r) = alpha/r dout B
  products_.multiply({.m = rows, .n = rank, .k = outputs, .stride_a = static_cast<int>(stride)},
                     grad_out, adapters_ + adapter.b, grad_low_);
  scale(grad_low_);
  // dA (r,inputs) = dlow^T in
  products_.multiply({.m = rank, .n = inputs, .k = rows, .transpose_a = true}, grad_low_, in,
                     gradients_ + adapter.a);
  // din (N,inputs) += dlow A
  if (grad_in != nullptr) {
    products_.multiply({.m = rows, .n = inputs, .k = rank, .beta = 1}, grad_low_,
                       adapters_ + adapter.a, grad_in);
  }
}

template class LowRank<float>;
template class LowRank<Bf16>;
template class LowRank<Fp16>;

}  // namespace perf::workloads
