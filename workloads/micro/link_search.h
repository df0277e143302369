#pragma once

#include <vector>

#include "workloads/kernels/agreement.h"
#include "workloads/micro/folded_products.h"
#include "workloads/micro/layer_links.h"

namespace perf::workloads {

/// Looks at the links of one layer, each function at those of a half, up or down.
template <class T>
class LinkSearch {
 public:
  explicit LinkSearch(const LayerUnderTest<T>& layer)
      : layer_(layer),
        layout_(layer.setup().shape),
        rows_(layer.setup().rows()),
        width_(layout_.shape.width()),
        inner_(layout_.shape.inner()),
        qkv_(qkv_rows(layer.setup())),
        arrays_(layer.arrays()),
        own_(arrays_.layers[0]) {}

  std::vector<LinkError> attention_forward();
  std::vector<LinkError> mlp_forward();
  std::vector<LinkError> mlp_backward(const T* gate_up);
  std::vector<LinkError> attention_backward(const T* arrived);

 private:
  // The map of a matrix's outputs first .. first + count.
  ProductOfRows<T> product(LayerMatrix matrix, OutputRange range, const T* x,
                           const T* grad_y = nullptr) const {
    const MatrixSize size = size_of(layout_.shape, matrix);
    const std::size_t offset = offset_of(layout_, matrix, 0) + range.first * size.inputs;
    return {.rows = rows_,
            .inputs = size.inputs,
            .outputs = range.count,
            .first = range.first,
            .width = size.outputs,
            .x = x,
            .weights = arrays_.parameters + offset,
            .grad_y = grad_y,
            .grad_weights = arrays_.gradients + offset};
  }
  ProductOfRows<T> product(LayerMatrix matrix, const T* x, const T* grad_y = nullptr) const {
    return product(matrix, {0, size_of(layout_.shape, matrix).outputs}, x, grad_y);
  }

  // y (row, output) of a product, whatever was added to it taken away.
  template <class Value>
  void check_product(const char* name, const ProductOfRows<T>& product, Value y) {
    const Fold fold(product.outputs);
    found_.push_back({name, product.forward_error(fold, fold.columns_of(rows_, y))});
  }
  void check_input_gradient(const char* name, const ProductOfRows<T>& product, const T* grad_x) {
    const std::size_t columns = product.inputs;
    const Fold fold(columns);
    std::vector<double> want(rows_ * fold.groups());
    product.add_input_gradient(fold, want);
    const std::vector<double> got =
        fold.columns_of(rows_, [=](std::size_t row, std::size_t column) {
          return static_cast<double>(widen(grad_x[row * columns + column]));
        });
    found_.push_back({name, largest_relative_error(got.data(), want.data(), want.size())});
  }
  // Row by row: want(row) makes a row (columns).
  template <class Row>
  void check_rows(const char* name, const T* got, std::size_t columns, Row want) {
    LargestError error;
    for (std::size_t row = 0; row < rows_; ++row) {
      const std::vector<double> values = want(row);
      for (std::size_t i = 0; i < columns; ++i) {
        error.add(static_cast<double>(widen(got[row * columns + i])), values[i]);
      }
    }
    found_.push_back({name, error.relative()});
  }
  void check_values(const char* name, const T* got, const std::vector<double>& want) {
    const std::vector<double> wide = widened(got, want.size());
    found_.push_back({name, largest_relative_error(wide.data(), want.data(), want.size())});
  }
  void check_norm(const char* name, const T* in, std::size_t gain_offset, const T* out);
  // arrived: the gradient of what the norm's branch is added to. grad_in: with the branch's.
  void check_norm_backward(const char* name, const char* gain_name, const T* in,
                           std::size_t gain_offset, const T* arrived, const T* grad_in);
  std::vector<double> row_of(const T* values, std::size_t row, std::size_t columns) const {
    return widened(values + row * columns, columns);
  }

  const LayerUnderTest<T>& layer_;
  ModelLayout layout_;
  std::size_t rows_, width_, inner_;
  QkvRows qkv_;
  const TrainingMemory<T>& arrays_;
  const LayerActivations<T>& own_;
  std::vector<LinkError> found_;
};

}  // namespace perf::workloads
