#include "workloads/kernels/attention.h"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "workloads/kernels/attention_forward.h"
#include "workloads/kernels/gemm.h"
#include "workloads/kernels/softmax.h"

namespace perf::workloads {

NaiveAttention::NaiveAttention(const QkvRows& shape, bool causal, Ledger& memory)
    : shape_(shape),
      causal_(causal),
      scores_(memory.take<float>(Purpose::workspace, shape.length * shape.length)) {}

namespace {

// Raw scores (length,length) -> scaled, and -infinity where a query would see the future.
void scale_scores(float* scores, std::size_t length, float scale, bool causal) {
#pragma omp parallel for schedule(static)
  for (std::size_t query = 0; query < length; ++query) {
    float* row = scores + query * length;
    const std::size_t seen = causal ? query + 1 : length;
#pragma omp simd
    for (std::size_t key = 0; key < seen; ++key) {
      row[key] *= scale;
    }
    std::fill(row + seen, row + length, -std::numeric_limits<float>::infinity());
  }
}

}  // namespace

void NaiveAttention::forward(const float* qkv, float* out) {
  const float scale = 1.0F / std::sqrt(static_cast<float>(shape_.size));
  const int length = static_cast<int>(shape_.length), size = static_cast<int>(shape_.size);
  const int width = static_cast<int>(shape_.width());
  const Gemm to_scores{.m = length,
                       .n = length,
                       .k = size,
                       .transpose_b = true,
                       .stride_a = width,
                       .stride_b = width};
  const Gemm to_out{.m = length,
                    .n = size,
                    .k = length,
                    .stride_b = width,
                    .stride_c = static_cast<int>(shape_.query_width())};
  for (std::size_t index = 0; index < shape_.sequences * shape_.heads; ++index) {
    const HeadTask task(shape_, index);
    const float* rows = qkv + task.first_row * shape_.width();
    gemm(Backend::openblas, to_scores, rows + task.query_column, rows + task.key_column, scores_);
    scale_scores(scores_, shape_.length, scale, causal_);
    softmax(scores_, scores_, shape_.length, shape_.length);
    gemm(Backend::openblas, to_out, scores_, rows + task.value_column,
         out + task.first_row * shape_.query_width() + task.query_column);
  }
}

TiledAttention::TiledAttention(const QkvRows& shape, bool causal, Ledger& memory)
    : shape_(shape),
      causal_(causal),
      most_threads_(omp_get_max_threads()),
      per_thread_(ForwardTiles(AttentionGrid(shape), Slices(nullptr)).floats),
      workspace_(memory.take<float>(Purpose::workspace,
                                    static_cast<std::size_t>(most_threads_) * per_thread_)) {}

void TiledAttention::forward(const float* qkv, float* out) {
  attend_sequences(AttentionGrid(shape_), causal_, qkv, out, nullptr,
                   {workspace_, per_thread_, std::min(most_threads_, omp_get_max_threads())});
}

double attention_operations(const QkvRows& shape, bool causal) {
  const auto length = static_cast<double>(shape.length);
  const double pairs = causal ? length * (length + 1) / 2 : length * length;
  return 4 * pairs * static_cast<double>(shape.sequences * shape.query_width());
}

}  // namespace perf::workloads
