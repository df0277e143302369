#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "workloads/kernels/dtype.h"
#include "workloads/kernels/gemm.h"

namespace perf::workloads {

/// Whether the program was built with oneDNN, which is optional. Where it was not, the functions
/// below throw std::logic_error, but for these four.
bool has_onednn();
/// "2.6.3", or "" without it.
std::string onednn_version();
/// Whether this CPU multiplies bf16 (AVX512-BF16 or AMX), oneDNN uses that, and it is not slower
/// than floats: measured once, in some milliseconds.
bool onednn_multiplies_bf16();
/// Whether OnednnProducts multiplies floats on this CPU (AVX-512).
bool onednn_multiplies_fp32();

/// Single precision, for gemm().
void gemm_onednn(const Gemm& shape, const float* a, const float* b, float* c);

/// Products by oneDNN's own kernels ("brgemm"), sums in single precision and rounded once. They are
/// compiled for a shape when it is first seen (0.2 to 0.5 ms, some 50 KB), and kept.
class OnednnProducts {
 public:
  /// Works in `bytes` of scratch memory.
  OnednnProducts(std::byte* scratch, std::size_t bytes);
  ~OnednnProducts();
  OnednnProducts(const OnednnProducts&) = delete;
  OnednnProducts& operator=(const OnednnProducts&) = delete;

  /// C = A B + beta C; beta is 0 or 1. Bf16 to Bf16, Bf16 to float, float to float. Returns false,
  /// having done nothing, where oneDNN has only a slow way for this shape, or one that takes more
  /// scratch memory than there is.
  template <class In, class Out>
  bool multiply(const Gemm& shape, const In* a, const In* b, Out* c);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace perf::workloads
