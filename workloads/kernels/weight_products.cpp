#include "workloads/kernels/weight_products.h"

#include <omp.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <type_traits>

#include "workloads/kernels/few_rows.h"
#include "workloads/kernels/many_rows.h"
#include "workloads/kernels/products_onednn.h"

namespace perf::workloads {

namespace {

// Unpacked weights in memory at once. With oneDNN whole matrices, which it multiplies faster than
// their parts: int8, a prompt of 512, blocks of 17 MB 750 GFLOP/s, of 0.5 to 8 MiB 690 to 730.
constexpr std::size_t kBlockBytes = std::size_t{4} << 20;
constexpr std::size_t kOnednnBlockBytes = std::size_t{32} << 20;
// A block's rows, but for the last one, are a multiple of this, and so are a thread's.
constexpr std::size_t kRowsTogether = 64;
// What oneDNN 2.6 wants for a thread, whatever the width: 0.33 MiB.
constexpr std::size_t kOnednnScratch = std::size_t{1} << 19;

// How many of `rows` rows to take at once.
std::size_t rows_within(std::size_t bytes, std::size_t row_bytes, std::size_t rows) {
  const std::size_t fitting = bytes / row_bytes;
  if (fitting >= rows) {
    return rows;
  }
  return fitting < kRowsTogether ? std::max<std::size_t>(fitting, 1)
                                 : fitting / kRowsTogether * kRowsTogether;
}

// Calls of `rows(first, count)` by all threads for parts of `count` rows.
template <class Rows>
void split_rows(std::size_t count, Rows rows) {
  const std::size_t parts = (count + kRowsTogether - 1) / kRowsTogether;
#pragma omp parallel
  {
    const auto thread = static_cast<std::size_t>(omp_get_thread_num());
    const auto threads = static_cast<std::size_t>(omp_get_num_threads());
    const std::size_t first = parts * thread / threads * kRowsTogether;
    const std::size_t last = std::min(count, parts * (thread + 1) / threads * kRowsTogether);
    if (first < last) {
      rows(first, last - first);
    }
  }
}

// C = from + beta C, `from` (m,n) being dense.
void move_rows(const float* from, const Gemm& shape, float* c) {
  const auto columns = static_cast<std::size_t>(shape.n);
#pragma omp parallel for schedule(static)
  for (int row = 0; row < shape.m; ++row) {
    const float* values = from + static_cast<std::size_t>(row) * columns;
    float* to = c + static_cast<std::ptrdiff_t>(row) * shape.row_c();
    if (shape.beta == 0) {
      std::copy_n(values, columns, to);
    } else {
      for (std::size_t i = 0; i < columns; ++i) {
        to[i] += values[i];
      }
    }
  }
}

}  // namespace

// For floats, oneDNN's own kernels were 3 to 8 % faster than OpenBLAS's for every matrix of the
// models at 512 rows, and 1.3 to 1.9 times as fast below 64.
Backend best_backend(WeightType type) {
  const bool onednn =
      onednn_multiplies_fp32() || product_type(Backend::onednn, type) == DType::bf16;
  return onednn ? Backend::onednn : Backend::openblas;
}

DType product_type(Backend backend, WeightType type) {
  const bool as_bf16 = backend == Backend::onednn && type != WeightType::fp32 &&
                       type != WeightType::fp16 && onednn_multiplies_bf16();
  return as_bf16 ? DType::bf16 : DType::fp32;
}

struct WeightProducts::State {
  Backend backend;
  WeightType type;
  DType product;
  std::size_t most_rows, most_columns, most_outputs, most_values;

  Bf16* rounded = nullptr;     // (most_rows,most_columns)
  float* panels = nullptr;     // of multiply_many_rows()
  std::byte* block = nullptr;  // unpacked weights
  std::size_t block_bytes;
  float* results = nullptr;  // of a block of several: oneDNN cannot leave them between others
  std::size_t results_bytes = 0;
  std::optional<OnednnProducts> onednn = std::nullopt;

  // Libraries have only what is stored, or unpacked into Bf16; and the reference all.
  bool has_panels() const { return type != WeightType::fp32 && backend != Backend::reference; }
  void take(Ledger& memory);
  template <class T>
  bool multiply_block(const Gemm& shape, const T* a, const T* b, float* c);
  template <class T>
  std::size_t multiply(const WeightMatrix& weights, std::size_t first, const T* in,
                       std::size_t rows, float beta, float* out);
};

// Nothing where all calls are of few rows.
void WeightProducts::State::take(Ledger& memory) {
  if (most_rows <= kFewRows) {
    return;
  }
  const auto bytes = [&](std::size_t count) {
    return memory.take<std::byte>(Purpose::workspace, count);
  };
  if (product == DType::bf16) {
    rounded = memory.take<Bf16>(Purpose::workspace, most_rows * most_columns);
  }
  const std::size_t whole = most_values * bytes_of(product);
  const bool unpacks = plain_dtype(type) != product;
  if (unpacks && product == DType::bf16 && whole > block_bytes) {
    results_bytes = std::max(block_bytes, kRowsTogether * most_rows * sizeof(float));
    results = memory.take<float>(Purpose::workspace, results_bytes / sizeof(float));
  }
  if (has_panels()) {
    panels = memory.take<float>(Purpose::workspace, many_rows_scratch(omp_get_max_threads()));
  }
  if (unpacks && (product == DType::bf16 || !has_panels())) {
    const std::size_t row = most_columns * bytes_of(product);
    block_bytes =
        std::max(std::min(most_outputs, kRowsTogether) * row, std::min(whole, block_bytes));
    block = bytes(block_bytes);
  }
  if (backend == Backend::onednn) {
    const std::size_t scratch = kOnednnScratch * static_cast<std::size_t>(omp_get_max_threads());
    onednn.emplace(bytes(scratch), scratch);
  }
}

// False, having done nothing, if the library does not multiply this in T.
template <class T>
bool WeightProducts::State::multiply_block(const Gemm& shape, const T* a, const T* b, float* c) {
  Gemm dense = shape;
  dense.stride_c = 0;
  if (shape.n == shape.row_c()) {
    if (onednn && onednn->multiply(dense, a, b, c)) {
      return true;
    }
  } else if (results != nullptr) {
    dense.beta = 0;
    if (onednn->multiply(dense, a, b, results)) {
      move_rows(results, shape, c);
      return true;
    }
  }
  if constexpr (std::is_same_v<T, float>) {
    gemm(backend, shape, a, b, c);
  }
  return std::is_same_v<T, float>;
}

// With the weights from row `first` on, in T. Returns the row before which it is done: all, or
// the first of those that are not multiplied in T.
template <class T>
std::size_t WeightProducts::State::multiply(const WeightMatrix& weights, std::size_t first,
                                            const T* in, std::size_t rows, float beta, float* out) {
  Gemm shape{.m = static_cast<int>(rows),
             .n = static_cast<int>(weights.rows - first),
             .k = static_cast<int>(weights.columns),
             .transpose_b = true,
             .beta = beta,
             .stride_c = static_cast<int>(weights.rows)};
  if (const T* stored = plain_rows<T>(weights)) {
    return multiply_block(shape, in, stored + first * weights.columns, out + first) ? weights.rows
                                                                                    : first;
  }
  T* unpacked = reinterpret_cast<T*>(block);
  std::size_t together = rows_within(block_bytes, weights.columns * sizeof(T), weights.rows);
  if (results != nullptr && together < weights.rows) {
    together = rows_within(results_bytes, rows * sizeof(float), together);
  }
  while (first < weights.rows) {
    const std::size_t count = std::min(together, weights.rows - first);
    split_rows(count, [&](std::size_t row, std::size_t some) {
      unpack_rows(weights, first + row, some, unpacked + row * weights.columns);
    });
    shape.n = static_cast<int>(count);
    if (!multiply_block(shape, in, unpacked, out + first)) {
      return first;
    }
    first += count;
  }
  return first;
}

WeightProducts::WeightProducts(Backend backend, WeightType type, std::size_t rows,
                               std::size_t columns, std::size_t outputs, Ledger& memory,
                               std::size_t values, std::size_t block_bytes)
    : state_(new State{.backend = backend,
                       .type = type,
                       .product = product_type(backend, type),
                       .most_rows = rows,
                       .most_columns = columns,
                       .most_outputs = outputs,
                       .most_values = values != 0 ? values : columns * outputs,
                       .block_bytes = block_bytes}) {
  if (block_bytes == 0) {
    state_->block_bytes = backend == Backend::onednn ? kOnednnBlockBytes : kBlockBytes;
  }
  state_->take(memory);
}

WeightProducts::~WeightProducts() = default;

void WeightProducts::multiply(const WeightMatrix& weights, const float* in, std::size_t rows,
                              float beta, float* out) {
  if (rows <= kFewRows) {
    if (state_->backend == Backend::reference) {
      return multiply_few_rows_reference(weights, in, rows, beta, out);
    }
    return multiply_few_rows(weights, in, rows, beta, out);
  }
  if (weights.type != state_->type || rows > state_->most_rows ||
      weights.columns > state_->most_columns || weights.rows > state_->most_outputs ||
      weights.rows * weights.columns > state_->most_values) {
    throw std::logic_error("a product that WeightProducts was not made for");
  }
  std::size_t done = 0;
  if (state_->product == DType::bf16) {
    const std::size_t columns = weights.columns;
    split_rows(rows, [&](std::size_t first, std::size_t count) {
      narrow(in + first * columns, count * columns, state_->rounded + first * columns);
    });
    done = state_->multiply<Bf16>(weights, 0, state_->rounded, rows, beta, out);
  }
  if (done < weights.rows && state_->has_panels()) {
    multiply_many_rows(weights, done, in, rows, beta, out, state_->panels);
  } else if (done < weights.rows) {
    state_->multiply(weights, done, in, rows, beta, out);
  }
}

}  // namespace perf::workloads
