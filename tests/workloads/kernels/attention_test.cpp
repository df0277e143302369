#include "workloads/kernels/attention.h"

#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>

#include "tests/workloads/random_values.h"
#include "workloads/kernels/agreement.h"

namespace perf::workloads {
namespace {

// Straight from the definition, one query and one head at a time.
std::vector<double> expected(const Attention& shape, const std::vector<float>& q,
                             const std::vector<float>& k, const std::vector<float>& v,
                             std::size_t start, std::size_t count) {
  const std::size_t size = shape.size, width = shape.heads * size;
  std::vector<double> out(count * width);
  for (std::size_t query = 0; query < count; ++query) {
    for (std::size_t head = 0; head < shape.heads; ++head) {
      const std::size_t cache = head / (shape.heads / shape.kv_heads) * shape.capacity * size;
      double sum = 0;
      for (std::size_t position = 0; position <= start + query; ++position) {
        double dot = 0;
        for (std::size_t i = 0; i < size; ++i)
          dot += static_cast<double>(q[query * width + head * size + i]) *
                 k[cache + position * size + i];
        const double weight = std::exp(dot / std::sqrt(static_cast<double>(size)));
        sum += weight;
        for (std::size_t i = 0; i < size; ++i)
          out[query * width + head * size + i] += weight * v[cache + position * size + i];
      }
      for (std::size_t i = 0; i < size; ++i)
        out[query * width + head * size + i] /= sum;
    }
  }
  return out;
}

TEST(Attention, MatchesTheDefinition) {
  const Attention shape{.heads = 6, .kv_heads = 2, .size = 16, .capacity = 40};
  const std::size_t width = shape.heads * shape.size;
  std::vector<float> scores(static_cast<std::size_t>(omp_get_max_threads()) * shape.capacity);
  const std::vector<float> k = random_values(shape.cache_values(), 2, 3);
  const std::vector<float> v = random_values(shape.cache_values(), 3);
  for (const auto& [start, count] : {std::pair<std::size_t, std::size_t>{0, 17}, {22, 1}, {5, 9}}) {
    const std::vector<float> q = random_values(count * width, 1, 3);
    std::vector<float> out(count * width);
    attention(shape, q.data(), width, k.data(), v.data(), start, count, scores.data(), out.data());
    const std::vector<double> want = expected(shape, q, k, v, start, count);
    EXPECT_LT(largest_relative_error(out.data(), want.data(), want.size()), 2e-6);
  }
}

TEST(Attention, DoesNotSeeTheFuture) {
  const Attention shape{.heads = 2, .kv_heads = 1, .size = 8, .capacity = 16};
  std::vector<float> scores(static_cast<std::size_t>(omp_get_max_threads()) * shape.capacity);
  std::vector<float> k = random_values(shape.cache_values(), 2);
  std::vector<float> v = random_values(shape.cache_values(), 3);
  const std::vector<float> q = random_values(4 * 16, 1);
  std::vector<float> before(4 * 16), after(4 * 16);
  attention(shape, q.data(), 16, k.data(), v.data(), 0, 4, scores.data(), before.data());
  for (std::size_t i = 4 * shape.size; i < k.size(); ++i)
    k[i] = v[i] = 1e6F;
  attention(shape, q.data(), 16, k.data(), v.data(), 0, 4, scores.data(), after.data());
  EXPECT_EQ(before, after);
}

}  // namespace
}  // namespace perf::workloads
