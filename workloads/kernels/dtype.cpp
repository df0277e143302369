#include "workloads/kernels/dtype.h"

#include <algorithm>
#include <stdexcept>

namespace perf::workloads {

const std::vector<std::string>& dtype_names() {
  static const std::vector<std::string> names = {"fp32", "bf16", "fp16"};
  return names;
}

DType dtype_from(const std::string& name) {
  const std::vector<std::string>& names = dtype_names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    throw std::invalid_argument("no such dtype: " + name);
  }
  return static_cast<DType>(found - names.begin());
}

std::string name_of(DType dtype) {
  return dtype_names().at(static_cast<std::size_t>(dtype));
}

std::size_t bytes_of(DType dtype) {
  return dtype == DType::fp32 ? sizeof(float) : sizeof(Bf16);
}

template <class T>
void widen(const T* from, std::size_t count, float* to) {
#pragma omp simd
  for (std::size_t i = 0; i < count; ++i) {
    to[i] = widen(from[i]);
  }
}

template <class T>
void narrow(const float* from, std::size_t count, T* to) {
#pragma omp simd
  for (std::size_t i = 0; i < count; ++i) {
    to[i] = narrow<T>(from[i]);
  }
}

template void widen<float>(const float*, std::size_t, float*);
template void widen<Bf16>(const Bf16*, std::size_t, float*);
template void widen<Fp16>(const Fp16*, std::size_t, float*);
template void narrow<float>(const float*, std::size_t, float*);
template void narrow<Bf16>(const float*, std::size_t, Bf16*);
template void narrow<Fp16>(const float*, std::size_t, Fp16*);

}  // namespace perf::workloads
