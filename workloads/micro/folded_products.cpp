#include "workloads/micro/folded_products.h"

#include <algorithm>

#include "workloads/kernels/agreement.h"
#include "workloads/kernels/random.h"

namespace perf::workloads {

namespace {

// Calls use(rows first .. first + count of `values` (rows,width) in double precision): so that a
// layer's arrays are never all held so.
template <class T, class Use>
void for_blocks(const T* values, std::size_t rows, std::size_t width, Use use) {
  constexpr std::size_t kRows = 64;
  std::vector<double> block;
  for (std::size_t first = 0; first < rows; first += kRows) {
    const std::size_t count = std::min(kRows, rows - first);
    block.resize(count * width);
    for (std::size_t i = 0; i < block.size(); ++i) {
      block[i] = static_cast<double>(widen(values[first * width + i]));
    }
    use(first, count, block.data());
  }
}

double error_of(const std::vector<double>& got, const std::vector<double>& want) {
  return largest_relative_error(got.data(), want.data(), want.size());
}

}  // namespace

Fold::Fold(std::size_t columns) : signs_(columns) {
  constexpr std::uint32_t kStream = 0xf01d;
  for (std::size_t i = 0; i < columns; ++i) {
    signs_[i] = random_bits(kStream, static_cast<std::uint32_t>(i)) % 2 == 0 ? 1 : -1;
  }
}

template <class T>
double ProductOfRows<T>::forward_error(const Fold& fold, const std::vector<double>& y) const {
  const std::size_t groups = fold.groups();
  const std::vector<double> folded = fold.outputs_of(weights, inputs);
  std::vector<double> want(rows * groups);
  for_blocks(x, rows, inputs, [&](std::size_t row, std::size_t count, const double* block) {
    reference::multiply({folded.data(), inputs, groups, 0, groups}, 1, block, count,
                        &want[row * groups]);
  });
  return error_of(y, want);
}

template <class T>
double ProductOfRows<T>::weight_gradient_error() const {
  const Fold fold(inputs);
  const std::size_t groups = fold.groups();
  const auto folded = [&](std::size_t count, const T* values) {
    return fold.columns_of(count, [=, this](std::size_t row, std::size_t column) {
      return static_cast<double>(widen(values[row * inputs + column]));
    });
  };
  const std::vector<double> folded_x = folded(rows, x);
  std::vector<double> want(outputs * groups);
  for_blocks(grad_y, rows, width, [&](std::size_t row, std::size_t count, const double* block) {
    reference::add_weight_gradient({nullptr, groups, outputs, first, width}, 1,
                                   &folded_x[row * groups], block, count, want.data());
  });
  return error_of(folded(outputs, grad_weights), want);
}

template <class T>
void ProductOfRows<T>::add_input_gradient(const Fold& fold, std::vector<double>& sums) const {
  const std::size_t groups = fold.groups();
  const std::vector<double> folded =
      fold.columns_of(outputs, [this](std::size_t output, std::size_t input) {
        return static_cast<double>(widen(weights[output * inputs + input]));
      });
  for_blocks(grad_y, rows, width, [&](std::size_t row, std::size_t count, const double* block) {
    reference::multiply_back({folded.data(), groups, outputs, first, width}, 1, block, count,
                             &sums[row * groups]);
  });
}

template struct ProductOfRows<float>;
template struct ProductOfRows<Bf16>;
template struct ProductOfRows<Fp16>;

}  // namespace perf::workloads
