#pragma once

#include <string>

namespace perf::workloads {

/// Who multiplies. `reference` is plain loops, for reading and for checking.
enum class Backend { eigen, openblas, reference };

/// Throws std::invalid_argument for an unknown name.
Backend backend_from(const std::string& name);

/// C (m,n) = A (m,k) * B (k,n) + beta * C, all row-major and dense. A transposed operand is stored
/// the other way round: A as (k,m), B as (n,k).
struct Gemm {
  int m = 0, n = 0, k = 0;
  bool transpose_a = false, transpose_b = false;
  float beta = 0;  ///< 0 overwrites C, whatever it held; 1 adds to it

  double operations() const { return 2.0 * m * n * k; }
};

void gemm(Backend backend, const Gemm& shape, const float* a, const float* b, float* c);

void gemm_openblas(const Gemm& shape, const float* a, const float* b, float* c);
void gemm_eigen(const Gemm& shape, const float* a, const float* b, float* c);
void gemm_reference(const Gemm& shape, const float* a, const float* b, float* c);

/// "3.4.0".
std::string eigen_version();

}  // namespace perf::workloads
