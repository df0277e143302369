#include "workloads/kernels/embedding.h"

#include <algorithm>
#include <array>
#include <utility>

#include "workloads/kernels/column_blocks.h"
#include "workloads/kernels/dtype.h"

namespace perf::workloads {

template <class T>
void embed(const T* table, const int* tokens, std::size_t rows, std::size_t width, T* out) {
#pragma omp parallel for schedule(static)
  for (std::size_t row = 0; row < rows; ++row) {
    std::copy_n(table + static_cast<std::size_t>(tokens[row]) * width, width, out + row * width);
  }
}

namespace {

constexpr std::size_t kChunk = kEmbeddingChunk;

/// Rows of one chunk, those of the same token together and in their order.
struct RowsByToken {
  std::array<std::pair<int, std::size_t>, kChunk> entries;  // token, row
  std::size_t count = 0;

  RowsByToken(const int* tokens, std::size_t rows) : count(rows) {
    for (std::size_t row = 0; row < rows; ++row) {
      entries[row] = {tokens[row], row};
    }
    std::sort(entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(rows));
  }
};

}  // namespace

template <class T>
void embed_backward(const T* grad, const int* tokens, std::size_t rows, std::size_t width,
                    T* grad_table) {
  for (std::size_t begin = 0; begin < rows; begin += kChunk) {
    const RowsByToken order(tokens + begin, std::min(kChunk, rows - begin));
    const T* chunk = grad + begin * width;
    // A column has one owner, so that a token which fills the batch is shared by all threads, too.
    for_column_blocks(width, [&](std::size_t first, std::size_t last) {
      std::array<float, kBlockColumns> sum;
      for (std::size_t i = 0; i < order.count;) {
        const int token = order.entries[i].first;
        T* into = grad_table + static_cast<std::size_t>(token) * width;
        for (std::size_t c = first; c < last; ++c) {
          sum[c - first] = widen(into[c]);
        }
        for (; i < order.count && order.entries[i].first == token; ++i) {
          const T* from = chunk + order.entries[i].second * width;
#pragma omp simd
          for (std::size_t c = first; c < last; ++c) {
            sum[c - first] += widen(from[c]);
          }
        }
#pragma omp simd
        for (std::size_t c = first; c < last; ++c) {
          into[c] = narrow<T>(sum[c - first]);
        }
      }
    });
  }
}

template void embed(const float*, const int*, std::size_t, std::size_t, float*);
template void embed_backward(const float*, const int*, std::size_t, std::size_t, float*);
template void embed(const Bf16*, const int*, std::size_t, std::size_t, Bf16*);
template void embed_backward(const Bf16*, const int*, std::size_t, std::size_t, Bf16*);
template void embed(const Fp16*, const int*, std::size_t, std::size_t, Fp16*);
template void embed_backward(const Fp16*, const int*, std::size_t, std::size_t, Fp16*);

}  // namespace perf::workloads
