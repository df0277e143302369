#include "workloads/kernels/gemm_rate.h"

#include <algorithm>
#include <chrono>

#include "workloads/kernels/gemm.h"
#include "workloads/kernels/random.h"

namespace perf::workloads {

GemmRate::GemmRate(int size) : size_(size) {
  const auto values = static_cast<std::size_t>(size) * static_cast<std::size_t>(size);
  a_.resize(values);
  b_.resize(values);
  c_.resize(values);
  fill_uniform(a_.data(), values, 1, 1);
  fill_uniform(b_.data(), values, 2, 1);
}

void GemmRate::measure(int times) {
  if (size_ == 0)
    return;
  const Gemm shape{.m = size_, .n = size_, .k = size_};
  if (seconds_.empty())
    gemm_openblas(shape, a_.data(), b_.data(), c_.data());
  for (int i = 0; i < times; ++i) {
    const auto start = std::chrono::steady_clock::now();
    gemm_openblas(shape, a_.data(), b_.data(), c_.data());
    const auto end = std::chrono::steady_clock::now();
    seconds_.push_back(std::chrono::duration<double>(end - start).count());
  }
}

double GemmRate::rate() const {
  if (seconds_.empty())
    return 0;
  const Gemm shape{.m = size_, .n = size_, .k = size_};
  return shape.operations() / *std::min_element(seconds_.begin(), seconds_.end());
}

}  // namespace perf::workloads
