#include "workloads/kernels/layer_norm.h"

#include <cmath>

#include "workloads/kernels/row_lanes.h"

namespace perf::workloads {

namespace {

/// What a row is reduced to: (in - mean - rest) has mean 0. A mean that is large beside the
/// deviation is rounded coarsely; what that leaves is small, and so is its rounding.
struct RowMoments {
  float mean, rest, inverse_deviation;
};

RowMoments row_moments(const float* in, std::size_t columns, double epsilon) {
  const auto values = static_cast<float>(columns);
  const float sum = row_sum(columns, [=](std::size_t first, std::size_t count, Lanes& own) {
    own += load_lanes(in + first, count, 0);
  });
  const float mean = sum / values;
  struct Sums {
    Lanes rests{}, squares{};
  };
  const Sums sums = over_row(
      columns, Sums{},
      [=](std::size_t first, std::size_t count, Sums& own) {
        const Lanes rest = load_lanes(in + first, count, mean) - mean;
        own.rests += rest;
        own.squares += rest * rest;
      },
      [](const Sums& a, const Sums& b) {
        return Sums{a.rests + b.rests, a.squares + b.squares};
      });
  const float rest = sum_of_lanes(sums.rests) / values;
  // Of equal values the difference may round below 0.
  const float variance = std::fmax(0.0F, sum_of_lanes(sums.squares) / values - rest * rest);
  return {mean, rest, 1.0F / std::sqrt(variance + static_cast<float>(epsilon))};
}

}  // namespace

void layer_norm(const float* in, const float* gain, const float* bias, float* out, std::size_t rows,
                std::size_t columns, double epsilon) {
#pragma omp parallel for schedule(static) if (rows > 1)
  for (std::size_t row = 0; row < rows; ++row) {
    const float* x = in + row * columns;
    float* y = out + row * columns;
    const RowMoments own = row_moments(x, columns, epsilon);
    for_lanes(columns, [=](std::size_t first, std::size_t count) {
      const Lanes centred = (load_lanes(x + first, count, 0) - own.mean) - own.rest;
      const Lanes scaled = centred * own.inverse_deviation * load_lanes(gain + first, count, 0);
      store_lanes(scaled + load_lanes(bias + first, count, 0), count, y + first);
    });
  }
}

void layer_norm_reference(const float* in, const float* gain, const float* bias, float* out,
                          std::size_t rows, std::size_t columns, double epsilon) {
  const auto count = static_cast<double>(columns);
  for (std::size_t row = 0; row < rows; ++row, in += columns, out += columns) {
    double mean = 0, variance = 0;
    for (std::size_t i = 0; i < columns; ++i) {
      mean += in[i] / count;
    }
    for (std::size_t i = 0; i < columns; ++i) {
      variance += (in[i] - mean) * (in[i] - mean) / count;
    }
    for (std::size_t i = 0; i < columns; ++i) {
      out[i] =
          static_cast<float>((in[i] - mean) / std::sqrt(variance + epsilon) * gain[i] + bias[i]);
    }
  }
}

}  // namespace perf::workloads
