#include "workloads/kernels/gemm.h"

#include <cblas.h>

#include <cstddef>
#include <stdexcept>

#include "workloads/kernels/products_onednn.h"

namespace perf::workloads {

Backend backend_from(const std::string& name) {
  if (name == "eigen") {
    return Backend::eigen;
  }
  if (name == "openblas") {
    return Backend::openblas;
  }
  if (name == "reference") {
    return Backend::reference;
  }
  if (name == "onednn" && has_onednn()) {
    return Backend::onednn;
  }
  if (name == "onednn") {
    throw std::invalid_argument(
        "the backend onednn is not built in: install oneDNN (Debian, Ubuntu: libdnnl-dev) and "
        "build again");
  }
  throw std::invalid_argument("no such backend: " + name);
}

std::vector<std::string> backend_names() {
  std::vector<std::string> names = {"openblas", "eigen", "reference"};
  if (has_onednn()) {
    names.insert(names.begin() + 1, "onednn");
  }
  return names;
}

void gemm(Backend backend, const Gemm& shape, const float* a, const float* b, float* c) {
  switch (backend) {
    case Backend::eigen:
      return gemm_eigen(shape, a, b, c);
    case Backend::openblas:
      return gemm_openblas(shape, a, b, c);
    case Backend::onednn:
      return gemm_onednn(shape, a, b, c);
    case Backend::reference:
      return gemm_reference(shape, a, b, c);
  }
}

void gemm_openblas(const Gemm& shape, const float* a, const float* b, float* c) {
  cblas_sgemm(CblasRowMajor, shape.transpose_a ? CblasTrans : CblasNoTrans,
              shape.transpose_b ? CblasTrans : CblasNoTrans, shape.m, shape.n, shape.k, 1.0F, a,
              shape.row_a(), b, shape.row_b(), shape.beta, c, shape.row_c());
}

void gemm_reference(const Gemm& shape, const float* a, const float* b, float* c) {
  const std::ptrdiff_t row_a = shape.row_a(), row_b = shape.row_b(), row_c = shape.row_c();
  for (std::ptrdiff_t i = 0; i < shape.m; ++i) {
    for (std::ptrdiff_t j = 0; j < shape.n; ++j) {
      double sum = 0;
      for (std::ptrdiff_t l = 0; l < shape.k; ++l) {
        const float left = shape.transpose_a ? a[l * row_a + i] : a[i * row_a + l];
        const float right = shape.transpose_b ? b[j * row_b + l] : b[l * row_b + j];
        sum += static_cast<double>(left) * right;
      }
      float& out = c[i * row_c + j];
      out = static_cast<float>(sum) + (shape.beta == 0 ? 0 : shape.beta * out);
    }
  }
}

}  // namespace perf::workloads
