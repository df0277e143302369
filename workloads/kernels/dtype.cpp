#include "workloads/kernels/dtype.h"

#include <stdexcept>

namespace perf::workloads {

DType dtype_from(const std::string& name) {
  for (const DType dtype : {DType::fp32, DType::bf16, DType::fp16}) {
    if (name == name_of(dtype))
      return dtype;
  }
  throw std::invalid_argument("no such dtype: " + name);
}

std::string name_of(DType dtype) {
  switch (dtype) {
    case DType::fp32:
      return "fp32";
    case DType::bf16:
      return "bf16";
    case DType::fp16:
      return "fp16";
  }
  throw std::invalid_argument("no such dtype");
}

std::size_t bytes_of(DType dtype) {
  return dtype == DType::fp32 ? sizeof(float) : sizeof(Bf16);
}

template <class T>
void widen(const T* from, std::size_t count, float* to) {
#pragma omp simd
  for (std::size_t i = 0; i < count; ++i)
    to[i] = widen(from[i]);
}

template <class T>
void narrow(const float* from, std::size_t count, T* to) {
#pragma omp simd
  for (std::size_t i = 0; i < count; ++i)
    to[i] = narrow<T>(from[i]);
}

template void widen<float>(const float*, std::size_t, float*);
template void widen<Bf16>(const Bf16*, std::size_t, float*);
template void widen<Fp16>(const Fp16*, std::size_t, float*);
template void narrow<float>(const float*, std::size_t, float*);
template void narrow<Bf16>(const float*, std::size_t, Bf16*);
template void narrow<Fp16>(const float*, std::size_t, Fp16*);

}  // namespace perf::workloads
