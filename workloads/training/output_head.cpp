#include "workloads/training/output_head.h"

#include <algorithm>

#include "workloads/kernels/cross_entropy.h"
#include "workloads/kernels/rms_norm.h"

namespace perf::workloads {

template <class T>
OutputHead<T>::OutputHead(const TrainingSetup& setup, const TrainingMemory<T>& arrays,
                          Products<T>& products)
    : layout_(setup.shape),
      train_all_(setup.trains_all()),
      rows_(setup.rows()),
      chunk_rows_(static_cast<std::size_t>(setup.loss_rows)),
      loss_scale_(static_cast<float>(setup.loss_scale)),
      arrays_(arrays),
      products_(products) {}

template <class T>
void OutputHead<T>::norm(std::size_t first, std::size_t count) {
  const std::size_t width = layout_.shape.width();
  rms_norm_forward(arrays_.inputs.back() + first * width, arrays_.parameters + layout_.final_norm(),
                   arrays_.last_normed + first * width, arrays_.last_inverse_rms + first, count,
                   width, layout_.shape.norm_epsilon);
}

template <class T>
void OutputHead<T>::multiply_logits(std::size_t first, std::size_t count) {
  products_.multiply({.m = static_cast<int>(count),
                      .n = layout_.shape.vocabulary,
                      .k = layout_.shape.hidden,
                      .transpose_b = true},
                     arrays_.last_normed + first * layout_.shape.width(),
                     arrays_.parameters + layout_.output(), arrays_.logits);
}

template <class T>
double OutputHead<T>::loss(const int* targets) {
  const std::size_t width = layout_.shape.width();
  const int vocabulary = layout_.shape.vocabulary, hidden = layout_.shape.hidden;
  const T* output = arrays_.parameters + layout_.output();
  norm(0, rows_);
  double sum = 0;
  for (std::size_t first = 0; first < rows_; first += chunk_rows_) {
    const std::size_t count = std::min(chunk_rows_, rows_ - first);
    const int rows = static_cast<int>(count);
    multiply_logits(first, count);
    sum += cross_entropy(arrays_.logits, targets + first, count, layout_.shape.tokens(),
                         loss_scale_ / static_cast<float>(rows_));
    products_.multiply({.m = rows, .n = hidden, .k = vocabulary}, arrays_.logits, output,
                       arrays_.grad.normed + first * width);
    if (train_all_) {
      products_.multiply({.m = vocabulary,
                          .n = hidden,
                          .k = rows,
                          .transpose_a = true,
                          .beta = first == 0 ? 0.0F : 1.0F},
                         arrays_.logits, arrays_.last_normed + first * width,
                         arrays_.gradients + layout_.output());
    }
  }
  const std::size_t gain = layout_.final_norm();
  std::fill_n(arrays_.grad.stream, rows_ * width, T{});  // nothing runs past the final norm
  rms_norm_backward(arrays_.inputs.back(), arrays_.parameters + gain, arrays_.last_inverse_rms,
                    arrays_.grad.normed, arrays_.grad.stream,
                    train_all_ ? arrays_.gradients + gain : nullptr, arrays_.grad.partial_sums,
                    rows_, width);
  return sum / static_cast<double>(rows_);
}

template <class T>
std::vector<float> OutputHead<T>::logits(std::size_t row) {
  norm(row, 1);
  multiply_logits(row, 1);
  std::vector<float> values(layout_.shape.tokens());
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = widen(arrays_.logits[i]);
  }
  return values;
}

template class OutputHead<float>;
template class OutputHead<Bf16>;
template class OutputHead<Fp16>;

}  // namespace perf::workloads
