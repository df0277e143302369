#include "workloads/kernels/swiglu.h"

#include "workloads/kernels/dtype.h"
#include "workloads/kernels/fast_exp.h"

namespace perf::workloads {

namespace {

float sigmoid(float x) {
  return 1.0F / (1.0F + fast_exp(-x));
}

}  // namespace

template <class T>
void swiglu_forward(const T* gate_up, T* out, std::size_t rows, std::size_t inner) {
#pragma omp parallel for schedule(static) if (rows > 1)
  for (std::size_t row = 0; row < rows; ++row) {
    const T* gate = gate_up + row * 2 * inner;
    const T* up = gate + inner;
    T* y = out + row * inner;
#pragma omp simd
    for (std::size_t i = 0; i < inner; ++i) {
      const float g = widen(gate[i]);
      y[i] = narrow<T>(g * sigmoid(g) * widen(up[i]));
    }
  }
}

template <class T>
void swiglu_backward(T* gate_up, const T* grad_out, std::size_t rows, std::size_t inner) {
#pragma omp parallel for schedule(static)
  for (std::size_t row = 0; row < rows; ++row) {
    T* gate = gate_up + row * 2 * inner;
    T* up = gate + inner;
    const T* grad = grad_out + row * inner;
#pragma omp simd
    for (std::size_t i = 0; i < inner; ++i) {
      const float g = widen(gate[i]), u = widen(up[i]), d = widen(grad[i]);
      const float s = sigmoid(g);
      gate[i] = narrow<T>(d * u * s * (1.0F + g * (1.0F - s)));
      up[i] = narrow<T>(d * g * s);
    }
  }
}

template void swiglu_forward(const float*, float*, std::size_t, std::size_t);
template void swiglu_backward(float*, const float*, std::size_t, std::size_t);
template void swiglu_forward(const Bf16*, Bf16*, std::size_t, std::size_t);
template void swiglu_backward(Bf16*, const Bf16*, std::size_t, std::size_t);
template void swiglu_forward(const Fp16*, Fp16*, std::size_t, std::size_t);
template void swiglu_backward(Fp16*, const Fp16*, std::size_t, std::size_t);

}  // namespace perf::workloads
