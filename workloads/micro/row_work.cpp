#include "workloads/micro/row_work.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "workloads/kernels/agreement.h"
#include "workloads/kernels/layer_norm.h"
#include "workloads/kernels/random.h"
#include "workloads/kernels/softmax.h"
#include "workloads/kernels/spoil.h"
#include "workloads/program/memory.h"
#include "workloads/reference/parts.h"

namespace perf::workloads {

namespace {

constexpr std::uint32_t kRowInputStream = 1, kRowGainStream = 2, kRowBiasStream = 3;
constexpr float kDeviation = 2;  // as scores of attention have it

std::size_t room(std::size_t rows, std::size_t columns) {
  return 2 * Arena::room<float>(rows * columns) + 2 * Arena::room<float>(columns) +
         Arena::room<float>(rows);
}

std::size_t rows_that_fit(const Settings& settings) {
  const auto rows = static_cast<std::size_t>(settings.integer("rows"));
  const auto columns = static_cast<std::size_t>(settings.integer("columns"));
  require_memory(room(rows, columns), fmt::format("{} rows of {} columns", rows, columns));
  return rows;
}

}  // namespace

RowWork::RowWork(std::size_t row_count, std::size_t column_count, std::uint64_t seed)
    : rows(row_count),
      columns(column_count),
      input_seed(derived_seed(seed, kRowInputStream)),
      memory(room(rows, columns)),
      in(memory.take<float>(rows * columns)),
      out(memory.take<float>(rows * columns)),
      gain(memory.take<float>(columns)),
      bias(memory.take<float>(columns)),
      inverse_rms(memory.take<float>(rows)) {
  fill_normal(in, rows * columns, input_seed, kDeviation);
  fill_uniform(gain, columns, derived_seed(seed, kRowGainStream), 1);
  fill_uniform(bias, columns, derived_seed(seed, kRowBiasStream), 1);
}

RowWork::RowWork(const Settings& settings, std::uint64_t seed)
    : RowWork(rows_that_fit(settings), static_cast<std::size_t>(settings.integer("columns")),
              seed) {}

void RowWork::input_row(std::size_t row, float* to) const {
  fill_normal_part(to, row * columns, columns, input_seed, kDeviation);
}

MicroWork RowWork::work(std::function<void()> forward) const {
  MicroWork own;
  own.forward = std::move(forward);
  own.spoil = [this] {
    spoil(out, values());
    spoil(inverse_rms, rows);
  };
  own.amount = static_cast<double>(2 * values() * sizeof(float));
  return own;
}

std::vector<Parameter> row_parameters() {
  return micro_parameters({integer("rows", {1024, 1024, 1024}, 1, 1'000'000, "of the matrix"),
                           integer("columns", {1024, 1024, 1024}, 1, 65536, "of the matrix")},
                          {50, 50, 1000}, Bound::memory);
}

namespace {

// The largest of error(row, input, output) over the rows.
template <class Error>
double worst_row(const RowWork& work, Error error) {
  std::vector<float> input(work.columns);
  double worst = 0;
  for (std::size_t row = 0; row < work.rows; ++row) {
    work.input_row(row, input.data());
    keep_worse(worst, error(row, input.data(), work.out + row * work.columns));
  }
  return worst;
}

double rms_norm_scale(const float* in, std::size_t columns) {
  double squares = 0;
  for (std::size_t i = 0; i < columns; ++i) {
    squares += static_cast<double>(in[i]) * in[i];
  }
  return 1 / std::sqrt(squares / static_cast<double>(columns) + kNormEpsilon);
}

}  // namespace

double softmax_error(const RowWork& work) {
  std::vector<float> want(work.columns);
  return worst_row(work, [&](std::size_t, const float* in, const float* out) {
    softmax_reference(in, want.data(), 1, work.columns);
    double worst = 0;
    for (std::size_t i = 0; i < work.columns; ++i) {
      keep_worse(worst, largest_relative_error(out + i, &want[i], 1));
    }
    return worst;
  });
}

double row_sum_error(const RowWork& work) {
  return worst_row(work, [&](std::size_t, const float*, const float* out) {
    double sum = 0;
    for (std::size_t i = 0; i < work.columns; ++i) {
      sum += out[i];
    }
    return std::abs(sum - 1);
  });
}

double layer_norm_error(const RowWork& work) {
  std::vector<float> want(work.columns);
  return worst_row(work, [&](std::size_t, const float* in, const float* out) {
    layer_norm_reference(in, work.gain, work.bias, want.data(), 1, work.columns, kNormEpsilon);
    return largest_relative_error(out, want.data(), work.columns);
  });
}

double rms_norm_error(const RowWork& work) {
  const reference::Values gain(work.gain, work.gain + work.columns);
  reference::Values want;
  return worst_row(work, [&](std::size_t, const float* in, const float* out) {
    reference::rms_norm(reference::Values(in, in + work.columns), gain.data(), kNormEpsilon,
                        work.columns, want);
    return largest_relative_error(out, want.data(), work.columns);
  });
}

double inverse_rms_error(const RowWork& work) {
  return worst_row(work, [&](std::size_t row, const float* in, const float*) {
    const double want = rms_norm_scale(in, work.columns);
    return largest_relative_error(work.inverse_rms + row, &want, 1);
  });
}

}  // namespace perf::workloads
