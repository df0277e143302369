#include "workloads/kernels/causal_attention.h"

#include <omp.h>

#include <algorithm>

#include "workloads/kernels/attention_forward.h"
#include "workloads/kernels/dtype.h"

namespace perf::workloads {

template <class T>
CausalAttention<T>::CausalAttention(const QkvRows& shape, Ledger& memory)
    : shape_(shape), most_threads_(omp_get_max_threads()) {
  const AttentionGrid grid(shape);
  per_thread_ = std::max(ForwardTiles(grid, Slices(nullptr)).floats,
                         BackwardTiles(grid, Slices(nullptr)).floats);
  workspace_ =
      memory.take<float>(Purpose::workspace, static_cast<std::size_t>(most_threads_) * per_thread_);
  grad_keys_values_ = memory.take<float>(Purpose::workspace, 2 * grid.tasks() * grid.head());
}

template <class T>
int CausalAttention<T>::threads() const {
  return std::min(most_threads_, omp_get_max_threads());
}

template <class T>
float* CausalAttention<T>::workspace_of(int thread) const {
  return workspace_ + static_cast<std::size_t>(thread) * per_thread_;
}

template <class T>
void CausalAttention<T>::forward(const T* qkv, T* out, float* log_sums) {
  attend_sequences(AttentionGrid(shape_), true, qkv, out, log_sums,
                   {workspace_, per_thread_, threads()});
}

namespace {

// A product of one query with one key takes 2 S operations.
double operations_of_a_product(const QkvRows& shape) {
  const auto length = static_cast<double>(shape.length);
  const double pairs = length * (length + 1) / 2;
  return 2 * pairs * static_cast<double>(shape.sequences * shape.query_width());
}

}  // namespace

template <class T>
double CausalAttention<T>::forward_operations(const QkvRows& shape) {
  return 2 * operations_of_a_product(shape);  // scores, out
}

template <class T>
double CausalAttention<T>::backward_operations(const QkvRows& shape) {
  return 4 * operations_of_a_product(shape);  // probabilities, values, queries, keys
}

template class CausalAttention<float>;
template class CausalAttention<Bf16>;
template class CausalAttention<Fp16>;

}  // namespace perf::workloads
