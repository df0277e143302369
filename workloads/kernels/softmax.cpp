#include "workloads/kernels/softmax.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "workloads/kernels/row_lanes.h"

namespace perf::workloads {

namespace {

constexpr float kNone = -std::numeric_limits<float>::infinity();

// Three passes, of which the last two find the row in the cache nearest to the core. While the
// second computes, it fetches `next`, the row after: some CPUs' own prefetchers stop at a page.
void softmax_row(const float* in, const float* next, float* out, std::size_t columns) {
  const float largest = largest_of_lanes(over_row(
      columns, Lanes{} + kNone,
      [=](std::size_t first, std::size_t count, Lanes& most) {
        most = larger(most, load_lanes(in + first, count, kNone));
      },
      larger));
  // A NaN, which a maximum may lose, and an infinite largest value make a NaN here, which the sum
  // passes on to the whole row.
  const float sum = row_sum(columns, [=](std::size_t first, std::size_t count, Lanes& powers) {
    __builtin_prefetch(next + first);
    const Lanes power = exp_of_negative(load_lanes(in + first, count, kNone) - largest);
    store_lanes(power, count, out + first);
    powers += power;
  });
  const float factor = 1.0F / sum;
  for_lanes(columns, [=](std::size_t first, std::size_t count) {
    store_lanes(load_lanes(out + first, count, 0) * factor, count, out + first);
  });
}

}  // namespace

void softmax(const float* in, float* out, std::size_t rows, std::size_t columns) {
#pragma omp parallel for schedule(static) if (rows > 1)
  for (std::size_t row = 0; row < rows; ++row) {
    const float* own = in + row * columns;
    softmax_row(own, row + 1 < rows ? own + columns : own, out + row * columns, columns);
  }
}

void softmax_reference(const float* in, float* out, std::size_t rows, std::size_t columns) {
  for (std::size_t row = 0; row < rows; ++row, in += columns, out += columns) {
    double largest = -std::numeric_limits<double>::infinity(), sum = 0;
    for (std::size_t i = 0; i < columns; ++i) {
      largest = std::max<double>(largest, in[i]);
    }
    for (std::size_t i = 0; i < columns; ++i) {
      sum += std::exp(in[i] - largest);
    }
    for (std::size_t i = 0; i < columns; ++i) {
      out[i] = static_cast<float>(std::exp(in[i] - largest) / sum);
    }
  }
}

}  // namespace perf::workloads
