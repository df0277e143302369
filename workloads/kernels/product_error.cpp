#include "workloads/kernels/product_error.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "workloads/kernels/dtype.h"
#include "workloads/kernels/random.h"

namespace perf::workloads {

namespace {

// At most so much of a value is lost where it is rounded to T: 24, 8 and 11 bits of precision.
template <class T>
double rounding() {
  constexpr std::array<double, 3> kRounding = {0x1p-24, 0x1p-8, 0x1p-11};
  return kRounding[static_cast<std::size_t>(kDType<T>)];
}

double in_units(double error, double explained) {
  if (error == 0) {
    return 0;
  }
  return error < std::numeric_limits<double>::infinity() && explained > 0
             ? error / explained
             : std::numeric_limits<double>::infinity();
}

template <class T>
double entry_error(const Gemm& shape, const T* a, const T* b, const T* c, int i, int j) {
  const std::ptrdiff_t row_a = shape.row_a(), row_b = shape.row_b(), row_c = shape.row_c();
  double sum = 0, magnitudes = 0;
  for (std::ptrdiff_t l = 0; l < shape.k; ++l) {
    const double left = widen(shape.transpose_a ? a[l * row_a + i] : a[i * row_a + l]);
    const double right = widen(shape.transpose_b ? b[j * row_b + l] : b[l * row_b + j]);
    sum += left * right;
    magnitudes += std::abs(left * right);
  }
  const double explained =
      0x1p-24 * std::sqrt(shape.k) * magnitudes + rounding<T>() * std::abs(sum);
  return in_units(std::abs(widen(c[i * row_c + j]) - sum), explained);
}

// The columns of B in groups: added up with random signs, and their sizes; (groups,k) each.
struct FoldedColumns {
  static constexpr int kColumns = 32;

  template <class T>
  FoldedColumns(const Gemm& shape, const T* b)
      : groups((shape.n + kColumns - 1) / kColumns),
        signs(static_cast<std::size_t>(shape.n)),
        sums(static_cast<std::size_t>(groups) * static_cast<std::size_t>(shape.k)),
        sizes(sums.size()) {
    constexpr std::uint32_t kStream = 0xf01d;
    for (std::size_t j = 0; j < signs.size(); ++j) {
      signs[j] = random_bits(kStream, static_cast<std::uint32_t>(j)) % 2 == 0 ? 1 : -1;
    }
    const std::ptrdiff_t row_b = shape.row_b();
#pragma omp parallel for schedule(static)
    for (std::ptrdiff_t g = 0; g < groups; ++g) {
      for (std::ptrdiff_t l = 0; l < shape.k; ++l) {
        double sum = 0, size = 0;
        for (std::ptrdiff_t j = g * kColumns; j < end(g, shape.n); ++j) {
          const double value = widen(shape.transpose_b ? b[j * row_b + l] : b[l * row_b + j]);
          sum += signs[static_cast<std::size_t>(j)] * value;
          size += std::abs(value);
        }
        sums[static_cast<std::size_t>(g * shape.k + l)] = sum;
        sizes[static_cast<std::size_t>(g * shape.k + l)] = size;
      }
    }
  }
  static std::ptrdiff_t end(std::ptrdiff_t group, std::ptrdiff_t columns) {
    return std::min((group + 1) * kColumns, columns);
  }

  std::ptrdiff_t groups;
  std::vector<double> signs, sums, sizes;
};

// The worst group of row i of C.
template <class T>
double folded_row_error(const Gemm& shape, const FoldedColumns& folded, const T* a, const T* c,
                        std::ptrdiff_t i) {
  const std::ptrdiff_t row_a = shape.row_a(), row_c = shape.row_c();
  std::vector<double> row(static_cast<std::size_t>(shape.k));
  for (std::ptrdiff_t l = 0; l < shape.k; ++l) {
    row[static_cast<std::size_t>(l)] =
        widen(shape.transpose_a ? a[l * row_a + i] : a[i * row_a + l]);
  }
  double most = 0;
  for (std::ptrdiff_t g = 0; g < folded.groups; ++g) {
    const double* sums = &folded.sums[static_cast<std::size_t>(g * shape.k)];
    const double* sizes = &folded.sizes[static_cast<std::size_t>(g * shape.k)];
    double want = 0, magnitudes = 0;
#pragma omp simd reduction(+ : want, magnitudes)
    for (std::size_t l = 0; l < row.size(); ++l) {
      want += row[l] * sums[l];
      magnitudes += std::abs(row[l]) * sizes[l];
    }
    double got = 0, squares = 0;
    const std::ptrdiff_t first = g * FoldedColumns::kColumns, end = folded.end(g, shape.n);
    for (std::ptrdiff_t j = first; j < end; ++j) {
      const double value = widen(c[i * row_c + j]);
      got += folded.signs[static_cast<std::size_t>(j)] * value;
      squares += value * value;
    }
    // Magnitudes of a group are alike: the root of their squares is their sum by that of their
    // count.
    const double summing =
        0x1p-24 * std::sqrt(shape.k) * magnitudes / std::sqrt(static_cast<double>(end - first));
    const double explained = 2 * (summing + rounding<T>() * std::sqrt(squares));
    most = std::max(most, in_units(std::abs(got - want), explained));
  }
  return most;
}

}  // namespace

template <class T>
double product_error(const Gemm& shape, const T* a, const T* b, const T* c) {
  const int longest = std::max(shape.m, shape.n);
  double most = 0;
#pragma omp parallel for schedule(static) reduction(max : most)
  for (int d = 0; d < longest; ++d) {
    for (const int shift : {shape.n / 3, shape.n - shape.n / 4}) {
      most = std::max(most, entry_error(shape, a, b, c, d % shape.m, (d + shift) % shape.n));
    }
  }
  const FoldedColumns folded(shape, b);
#pragma omp parallel for schedule(static) reduction(max : most)
  for (int i = 0; i < shape.m; ++i) {
    most = std::max(most, folded_row_error(shape, folded, a, c, i));
  }
  return most;
}

template double product_error(const Gemm&, const float*, const float*, const float*);
template double product_error(const Gemm&, const Bf16*, const Bf16*, const Bf16*);
template double product_error(const Gemm&, const Fp16*, const Fp16*, const Fp16*);

}  // namespace perf::workloads
