#include "workloads/kernels/attention.h"

#include <omp.h>

#include <algorithm>
#include <cmath>

#include "workloads/kernels/fast_exp.h"

namespace perf::workloads {

namespace {

// scores (positions) = softmax(keys (positions,S) q (S) / sqrt(S)), without the division by its
// sum, which is returned.
float softmax_scores(const float* q, const float* keys, std::size_t positions, std::size_t size,
                     float* scores) {
  const float scale = 1.0F / std::sqrt(static_cast<float>(size));
  float largest = -INFINITY;
  for (std::size_t position = 0; position < positions; ++position) {
    float dot = 0;
#pragma omp simd reduction(+ : dot)
    for (std::size_t i = 0; i < size; ++i)
      dot += q[i] * keys[position * size + i];
    scores[position] = dot * scale;
    largest = std::max(largest, scores[position]);
  }
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::size_t position = 0; position < positions; ++position) {
    scores[position] = fast_exp(scores[position] - largest);
    sum += scores[position];
  }
  return sum;
}

}  // namespace

void attention(const Attention& shape, const float* queries, std::size_t row_stride,
               const float* keys, const float* values, std::size_t start, std::size_t count,
               float* scores, float* out) {
  const std::size_t size = shape.size;
#pragma omp parallel for collapse(2) schedule(static)
  for (std::size_t head = 0; head < shape.heads; ++head) {
    for (std::size_t query = 0; query < count; ++query) {
      const std::size_t cached = head * shape.kv_heads / shape.heads * shape.capacity * size;
      const std::size_t positions = start + query + 1;
      float* own = scores + static_cast<std::size_t>(omp_get_thread_num()) * shape.capacity;
      const float sum = softmax_scores(queries + query * row_stride + head * size, keys + cached,
                                       positions, size, own);
      float* to = out + (query * shape.heads + head) * size;
      std::fill(to, to + size, 0.0F);
      for (std::size_t position = 0; position < positions; ++position) {
        const float weight = own[position] / sum;
        const float* value = values + cached + position * size;
#pragma omp simd
        for (std::size_t i = 0; i < size; ++i)
          to[i] += weight * value[i];
      }
    }
  }
}

}  // namespace perf::workloads
