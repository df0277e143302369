#include <algorithm>
#include <cmath>
#include <vector>

#include "workloads/kernels/attention.h"

namespace perf::workloads {

void attention_reference(const QkvRows& shape, bool causal, const float* qkv, float* out,
                         std::size_t first, std::size_t step) {
  const std::size_t size = shape.size;
  for (std::size_t row = first; row < shape.rows(); row += step) {
    const std::size_t position = row % shape.length;
    const std::size_t seen = causal ? position + 1 : shape.length;
    const float* sequence = qkv + (row - position) * shape.width();
    for (std::size_t head = 0; head < shape.heads; ++head) {
      const float* query = qkv + row * shape.width() + head * size;
      const float* keys =
          sequence + shape.query_width() + head * shape.kv_heads / shape.heads * size;
      const float* values = keys + shape.kv_width();
      std::vector<double> weights(seen), result(size);
      for (std::size_t key = 0; key < seen; ++key) {
        for (std::size_t i = 0; i < size; ++i) {
          weights[key] += static_cast<double>(query[i]) * keys[key * shape.width() + i];
        }
        weights[key] /= std::sqrt(static_cast<double>(size));
      }
      const double largest = *std::max_element(weights.begin(), weights.end());
      double sum = 0;
      for (double& weight : weights) {
        sum += weight = std::exp(weight - largest);
      }
      for (std::size_t key = 0; key < seen; ++key) {
        for (std::size_t i = 0; i < size; ++i) {
          result[i] += weights[key] / sum * values[key * shape.width() + i];
        }
      }
      std::copy(result.begin(), result.end(), out + row * shape.query_width() + head * size);
    }
  }
}

}  // namespace perf::workloads
