#include "workloads/kernels/product_error.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include "workloads/kernels/dtype.h"

namespace perf::workloads {

namespace {

// At most so much of a value is lost where it is rounded to T: 24, 8 and 11 bits of precision.
template <class T>
double rounding() {
  constexpr std::array<double, 3> kRounding = {0x1p-24, 0x1p-8, 0x1p-11};
  return kRounding[static_cast<std::size_t>(kDType<T>)];
}

template <class T>
double entry_error(const Gemm& shape, const T* a, const T* b, const T* c, int i, int j) {
  const std::ptrdiff_t row_a = shape.row_a(), row_b = shape.row_b(), row_c = shape.row_c();
  double sum = 0, magnitudes = 0;
  for (std::ptrdiff_t l = 0; l < shape.k; ++l) {
    const double left = widen(shape.transpose_a ? a[l * row_a + i] : a[i * row_a + l]);
    const double right = widen(shape.transpose_b ? b[j * row_b + l] : b[l * row_b + j]);
    sum += left * right;
    magnitudes += std::abs(left * right);
  }
  const double explained =
      0x1p-24 * std::sqrt(shape.k) * magnitudes + rounding<T>() * std::abs(sum);
  const double error = std::abs(widen(c[i * row_c + j]) - sum);
  if (error == 0)
    return 0;
  return error < std::numeric_limits<double>::infinity() && explained > 0
             ? error / explained
             : std::numeric_limits<double>::infinity();
}

}  // namespace

template <class T>
double product_error(const Gemm& shape, const T* a, const T* b, const T* c) {
  const int longest = std::max(shape.m, shape.n);
  double most = 0;
#pragma omp parallel for schedule(static) reduction(max : most)
  for (int d = 0; d < longest; ++d)
    for (const int shift : {shape.n / 3, shape.n - shape.n / 4})
      most = std::max(most, entry_error(shape, a, b, c, d % shape.m, (d + shift) % shape.n));
  return most;
}

template double product_error(const Gemm&, const float*, const float*, const float*);
template double product_error(const Gemm&, const Bf16*, const Bf16*, const Bf16*);
template double product_error(const Gemm&, const Fp16*, const Fp16*, const Fp16*);

}  // namespace perf::workloads
