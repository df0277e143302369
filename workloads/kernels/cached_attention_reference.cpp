#include <algorithm>
#include <cmath>
#include <vector>

#include "workloads/kernels/cached_attention.h"

namespace perf::workloads {

namespace {

double value_of(const KvCache& cache, const std::byte* values, std::size_t index) {
  switch (cache.dtype) {
    case DType::fp32:
      return reinterpret_cast<const float*>(values)[index];
    case DType::bf16:
      return widen(reinterpret_cast<const Bf16*>(values)[index]);
    case DType::fp16:
      return widen(reinterpret_cast<const Fp16*>(values)[index]);
  }
  return 0;
}

}  // namespace

void cached_attention_reference(const QkvRows& rows, const float* qkv, std::size_t start,
                                const KvCache& cache, bool causal, float* out) {
  require_room(rows, start, cache);
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    const std::size_t position = start + row % rows.length;
    const std::size_t seen = causal ? position + 1 : start + rows.length;
    for (std::size_t head = 0; head < rows.heads; ++head) {
      const std::size_t from = cache.offset(row / rows.length, head * rows.kv_heads / rows.heads);
      const float* query = qkv + row * rows.width() + head * rows.size;
      std::vector<double> weights(seen);
      for (std::size_t key = 0; key < seen; ++key) {
        for (std::size_t i = 0; i < rows.size; ++i) {
          weights[key] += query[i] * value_of(cache, cache.keys, from + key * rows.size + i);
        }
        weights[key] /= std::sqrt(static_cast<double>(rows.size));
      }
      const double largest = *std::max_element(weights.begin(), weights.end());
      double sum = 0;
      for (double& weight : weights) {
        sum += weight = std::exp(weight - largest);
      }
      for (std::size_t i = 0; i < rows.size; ++i) {
        double result = 0;
        for (std::size_t key = 0; key < seen; ++key) {
          result += weights[key] * value_of(cache, cache.values, from + key * rows.size + i);
        }
        out[row * rows.query_width() + head * rows.size + i] = static_cast<float>(result / sum);
      }
    }
  }
}

}  // namespace perf::workloads
