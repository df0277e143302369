#pragma once

#include <string>
#include <vector>

namespace perf::workloads {

/// Who multiplies. `reference` is plain loops, for reading and for checking.
enum class Backend { eigen, openblas, onednn, reference };

/// Throws std::invalid_argument for an unknown name, and for "onednn" where the program was built
/// without it, saying which package it needs.
Backend backend_from(const std::string& name);

/// The backends that are built in, the default first: "openblas", "eigen", "reference", and
/// "onednn" where there is one.
std::vector<std::string> backend_names();

/// C (m,n) = A (m,k) * B (k,n) + beta * C, all row-major. A transposed operand is stored the other
/// way round: A as (k,m), B as (n,k).
struct Gemm {
  int m = 0, n = 0, k = 0;
  bool transpose_a = false, transpose_b = false;
  float beta = 0;  ///< 0 overwrites C, whatever it held; 1 adds to it

  /// Values from one stored row to the next, where a matrix is some columns of a wider one. 0: its
  /// rows lie side by side.
  int stride_a = 0, stride_b = 0, stride_c = 0;

  int row_a() const { return stride_a != 0 ? stride_a : transpose_a ? m : k; }
  int row_b() const { return stride_b != 0 ? stride_b : transpose_b ? k : n; }
  int row_c() const { return stride_c != 0 ? stride_c : n; }

  double operations() const { return 2.0 * m * n * k; }

  friend bool operator==(const Gemm&, const Gemm&) = default;
};

void gemm(Backend backend, const Gemm& shape, const float* a, const float* b, float* c);

void gemm_openblas(const Gemm& shape, const float* a, const float* b, float* c);
void gemm_eigen(const Gemm& shape, const float* a, const float* b, float* c);
void gemm_reference(const Gemm& shape, const float* a, const float* b, float* c);

/// "3.4.0".
std::string eigen_version();

}  // namespace perf::workloads
