#include "workloads/kernels/gemm.h"

#include <cblas.h>

#include <cstddef>
#include <stdexcept>

namespace perf::workloads {

Backend backend_from(const std::string& name) {
  if (name == "eigen")
    return Backend::eigen;
  if (name == "openblas")
    return Backend::openblas;
  if (name == "reference")
    return Backend::reference;
  throw std::invalid_argument("no such backend: " + name);
}

void gemm(Backend backend, const Gemm& shape, const float* a, const float* b, float* c) {
  switch (backend) {
    case Backend::eigen:
      return gemm_eigen(shape, a, b, c);
    case Backend::openblas:
      return gemm_openblas(shape, a, b, c);
    case Backend::reference:
      return gemm_reference(shape, a, b, c);
  }
}

void gemm_openblas(const Gemm& shape, const float* a, const float* b, float* c) {
  const auto [m, n, k, transpose_a, transpose_b, beta] = shape;
  cblas_sgemm(CblasRowMajor, transpose_a ? CblasTrans : CblasNoTrans,
              transpose_b ? CblasTrans : CblasNoTrans, m, n, k, 1.0F, a, transpose_a ? m : k, b,
              transpose_b ? k : n, beta, c, n);
}

void gemm_reference(const Gemm& shape, const float* a, const float* b, float* c) {
  const auto [m, n, k, transpose_a, transpose_b, beta] = shape;
  for (std::ptrdiff_t i = 0; i < m; ++i) {
    for (std::ptrdiff_t j = 0; j < n; ++j) {
      double sum = 0;
      for (std::ptrdiff_t l = 0; l < k; ++l) {
        const float left = transpose_a ? a[l * m + i] : a[i * k + l];
        const float right = transpose_b ? b[j * k + l] : b[l * n + j];
        sum += static_cast<double>(left) * right;
      }
      float& out = c[i * n + j];
      out = static_cast<float>(sum) + (beta == 0 ? 0 : beta * out);
    }
  }
}

}  // namespace perf::workloads
