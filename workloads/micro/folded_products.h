#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "workloads/kernels/dtype.h"
#include "workloads/reference/linear.h"

namespace perf::workloads {

/// Adds up groups of columns, each column with a random sign. A product is linear in the columns of
/// its result, so that (in W^T) folded is in (W folded)^T, which takes a 32nd of the work; and a
/// wrong value anywhere in the result, even a single one, makes a wrong sum. The idea of Freivalds,
/// "Probabilistic machines can use less running time" (IFIP Congress, 1977).
class Fold {
 public:
  static constexpr std::size_t kColumns = 32;

  explicit Fold(std::size_t columns);

  std::size_t groups() const { return (signs_.size() + kColumns - 1) / kColumns; }
  /// (rows,columns) -> (rows,groups) of values(row, column).
  template <class Value>
  std::vector<double> columns_of(std::size_t rows, Value values) const {
    std::vector<double> sums(rows * groups());
#pragma omp parallel for schedule(static)
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t column = 0; column < signs_.size(); ++column) {
        sums[row * groups() + column / kColumns] += signs_[column] * values(row, column);
      }
    }
    return sums;
  }
  /// (rows,columns) -> (groups,columns): the same for the outputs of a matrix (outputs,inputs).
  template <class T>
  std::vector<double> outputs_of(const T* weights, std::size_t inputs) const {
    std::vector<double> sums(groups() * inputs);
    for (std::size_t output = 0; output < signs_.size(); ++output) {
      for (std::size_t i = 0; i < inputs; ++i) {
        sums[output / kColumns * inputs + i] +=
            signs_[output] * static_cast<double>(widen(weights[output * inputs + i]));
      }
    }
    return sums;
  }

 private:
  std::vector<double> signs_;
};

/// The largest difference of many values, by the largest of those that are wanted, or of the sizes
/// that are given for them: as largest_relative_error() of kernels/agreement.h, value by value.
class LargestError {
 public:
  void add(double got, double want) { add(got, want, std::abs(want)); }
  void add(double got, double want, double size) {
    const double difference = std::abs(got - want);
    if (!(difference <= worst_ || std::isnan(worst_))) {
      worst_ = difference;  // NaN, too, and it stays
    }
    scale_ = std::fmax(scale_, size);
  }
  double relative() const { return worst_ == 0 ? 0 : worst_ / scale_; }

 private:
  double worst_ = 0, scale_ = 0;
};

/// A linear map of rows, y = x W^T with W (outputs,inputs), or some of its outputs: x is (rows,
/// inputs), y and its gradient lie in rows `width` wide from column `first` on.
template <class T>
struct ProductOfRows {
  std::size_t rows = 0, inputs = 0, outputs = 0, first = 0, width = 0;
  const T* x = nullptr;
  const T* weights = nullptr;  ///< of these outputs
  const T* grad_y = nullptr;
  const T* grad_weights = nullptr;  ///< of these outputs

  /// How far y is from x W^T: y (rows,groups), folded by `fold`, which is over the outputs.
  double forward_error(const Fold& fold, const std::vector<double>& y) const;
  /// How far the weights' gradient is from grad_y^T x.
  double weight_gradient_error() const;
  /// Adds grad_y W to sums (rows,groups), folded by `fold`, which is over the inputs.
  void add_input_gradient(const Fold& fold, std::vector<double>& sums) const;
};

}  // namespace perf::workloads
