#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "workloads/kernels/arena.h"
#include "workloads/micro/micro_run.h"
#include "workloads/program/parameter.h"

namespace perf::workloads {

/// What an operation over the rows of a matrix reads and writes, in one piece of memory.
struct RowWork {
  /// Filled from the seed. Throws std::bad_alloc.
  RowWork(std::size_t rows, std::size_t columns, std::uint64_t seed);
  /// The `rows` and `columns` of a run. Throws Error where they do not fit into memory.
  RowWork(const Settings& settings, std::uint64_t seed);

  std::size_t rows, columns;
  std::uint32_t input_seed;
  Arena memory;
  float *in, *out;     ///< (rows,columns)
  float *gain, *bias;  ///< (columns)
  float* inverse_rms;  ///< (rows)

  std::size_t values() const { return rows * columns; }
  /// Row by row as the seed has them, whatever has been written to `in`.
  void input_row(std::size_t row, float* to) const;
  /// `forward`, with the bytes of `in` and `out` as its amount. Holds this object by its
  /// address.
  MicroWork work(std::function<void()> forward) const;
};

/// rows and columns, 1024 each; calls.
std::vector<Parameter> row_parameters();

inline constexpr double kNormEpsilon = 1e-5;

/// How far `out` is from what it should be, over all of it, by the references in double precision;
/// NaN for NaN. Softmax: relative to each value. The norms: to the largest of all, as a value near
/// 0 is the difference of larger ones.
double softmax_error(const RowWork& work);
double layer_norm_error(const RowWork& work);
double rms_norm_error(const RowWork& work);
/// The same of inverse_rms.
double inverse_rms_error(const RowWork& work);
/// How far the sum of a row is from 1, at most.
double row_sum_error(const RowWork& work);

/// e^x is off by 4e-7, by half a last place of in - largest (16 at most) more, and by a few
/// roundings.
inline constexpr double kSoftmaxTolerance = 3e-6;
/// A thousand values below 1, each rounded when it was made and when it was scaled.
inline constexpr double kRowSumTolerance = 1e-6;
/// Sums of thousands of values in 16 lanes and more, a reciprocal root, and a few roundings.
inline constexpr double kNormTolerance = 2e-6;

}  // namespace perf::workloads
