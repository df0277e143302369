#include "workloads/kernels/products.h"

#include <omp.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <type_traits>

#include "workloads/kernels/products_onednn.h"
#include "workloads/kernels/products_widened.h"

namespace perf::workloads {

namespace {

// What gemm_reference is for float: one sum for each result, rounded once.
template <class T>
void multiply_reference(const Gemm& shape, const T* a, const T* b, T* c) {
  const std::ptrdiff_t row_a = shape.row_a(), row_b = shape.row_b(), row_c = shape.row_c();
  for (std::ptrdiff_t i = 0; i < shape.m; ++i) {
    for (std::ptrdiff_t j = 0; j < shape.n; ++j) {
      T& out = c[i * row_c + j];
      double sum = shape.beta == 0 ? 0 : shape.beta * widen(out);
      for (std::ptrdiff_t l = 0; l < shape.k; ++l) {
        const T left = shape.transpose_a ? a[l * row_a + i] : a[i * row_a + l];
        const T right = shape.transpose_b ? b[j * row_b + l] : b[l * row_b + j];
        sum += static_cast<double>(widen(left)) * widen(right);
      }
      out = narrow<T>(static_cast<float>(sum));
    }
  }
}

}  // namespace

bool multiplies_unwidened(Backend backend, DType dtype) {
  return backend == Backend::onednn && dtype == DType::bf16 && onednn_multiplies_bf16();
}

template <class T>
struct Products<T>::State {
  Backend backend;
  std::optional<WidenedProducts> widened;  // these two share their scratch memory
  std::optional<OnednnProducts> onednn;
};

template <class T>
std::size_t Products<T>::scratch_floats(Backend backend, int threads) {
  if (std::is_same_v<T, float> || backend == Backend::reference) {
    return 0;
  }
  if (!multiplies_unwidened(backend, kDType<T>)) {
    return WidenedProducts::kScratch;
  }
  return std::max(WidenedProducts::kScratch, kOnednnScratch * static_cast<std::size_t>(threads));
}

template <class T>
Products<T>::Products(Backend backend, Ledger& memory) : state_(std::make_unique<State>()) {
  state_->backend = backend;
  const std::size_t floats = scratch_floats(backend, omp_get_max_threads());
  if (floats == 0) {
    return;
  }
  float* scratch = memory.take<float>(Purpose::workspace, floats);
  state_->widened.emplace(backend, scratch);
  if (multiplies_unwidened(backend, kDType<T>)) {
    state_->onednn.emplace(reinterpret_cast<std::byte*>(scratch), floats * sizeof(float));
  }
}

template <class T>
Products<T>::~Products() = default;

template <class T>
void Products<T>::multiply(const Gemm& shape, const T* a, const T* b, T* c) {
  if constexpr (std::is_same_v<T, float>) {
    return gemm(state_->backend, shape, a, b, c);
  } else {
    if (state_->backend == Backend::reference) {
      return multiply_reference(shape, a, b, c);
    }
    if constexpr (std::is_same_v<T, Bf16>) {
      if (state_->onednn && state_->onednn->multiply(shape, a, b, c)) {
        return;
      }
    }
    return state_->widened->multiply(shape, a, b, c);
  }
}

template class Products<float>;
template class Products<Bf16>;
template class Products<Fp16>;

}  // namespace perf::workloads
