#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>

#include "workloads/micro/link_search.h"
#include "workloads/reference/parts.h"

namespace perf::workloads {

using reference::Values;

namespace {

constexpr Projection kQkv[] = {Projection::q, Projection::k, Projection::v};
constexpr const char* kQkvNames[] = {"queries", "keys", "values"};
constexpr const char* kQkvGradients[] = {"gradient of queries", "gradient of keys",
                                         "gradient of values"};
constexpr const char* kQkvWeightGradients[] = {"gradient of q", "gradient of k", "gradient of v"};

}  // namespace

template <class T>
std::vector<LinkError> LinkSearch<T>::attention_forward() {
  const T* in = layer_.in();
  check_norm("attention norm", in, layout_.attention_norm(0), own_.normed1);

  Values qkv = widened(own_.qkv, rows_ * qkv_.width());
  Values attended;
  reference::attend(qkv_, qkv, attended);
  check_values("attention", own_.attention, attended);
  // Turned back and without the bias it is the product.
  const ModelShape& shape = layout_.shape;
  reference::rotate(qkv_, shape.rope_theta, shape.rope_scaling, -1, qkv);
  Values bias = widened(arrays_.parameters + layout_.qkv_bias(0), shape.bias_width());
  bias.resize(qkv_.width());
  for (std::size_t i = 0; i < std::size(kQkv); ++i) {
    const OutputRange range = outputs_of(layout_.shape, kQkv[i]);
    check_product(kQkvNames[i], product(LayerMatrix::qkv, range, own_.normed1),
                  [&](std::size_t row, std::size_t column) {
                    const std::size_t place = range.first + column;
                    return qkv[row * qkv_.width() + place] - bias[place];
                  });
  }
  check_product("output of attention", product(LayerMatrix::out, own_.attention),
                [&](std::size_t row, std::size_t column) {
                  const std::size_t i = row * width_ + column;
                  return static_cast<double>(widen(own_.middle[i])) -
                         static_cast<double>(widen(in[i]));
                });
  return std::move(found_);
}

template <class T>
std::vector<LinkError> LinkSearch<T>::attention_backward(const T* arrived) {
  const LayerGradients<T>& grad = arrays_.grad;
  const ProductOfRows<T> out = product(LayerMatrix::out, own_.attention, arrived);
  check_input_gradient("gradient of attention's output", out, grad.attention);
  found_.push_back({"gradient of out", out.weight_gradient_error()});

  const std::size_t width = qkv_.width();
  Values want;
  reference::attend_backward(qkv_, widened(own_.qkv, rows_ * width),
                             widened(grad.attention, rows_ * qkv_.query_width()), want);
  reference::rotate(qkv_, layout_.shape.rope_theta, layout_.shape.rope_scaling, -1, want);
  const Fold fold(width_);
  Values normed(rows_ * fold.groups());
  for (std::size_t i = 0; i < std::size(kQkv); ++i) {
    const OutputRange range = outputs_of(layout_.shape, kQkv[i]);
    LargestError values, bias;
    for (std::size_t column = range.first; column < range.first + range.count; ++column) {
      double sum = 0, squares = 0;
      for (std::size_t place = column; place < rows_ * width; place += width) {
        values.add(static_cast<double>(widen(grad.qkv[place])), want[place]);
        sum += want[place];
        squares += want[place] * want[place];
      }
      if (layout_.shape.has_qkv_bias) {
        bias.add(static_cast<double>(widen(arrays_.gradients[layout_.qkv_bias(0) + column])), sum,
                 std::max(std::abs(sum), std::sqrt(squares)));
      }
    }
    found_.push_back({kQkvGradients[i], values.relative()});
    // By the size of a sum of so many values: that of keys is smaller, as its values cancel (what
    // moves all keys alike, a softmax takes out again), and their rounding does not.
    found_.push_back({std::string(kQkvGradients[i]) + "' bias", bias.relative()});
    const ProductOfRows<T> own = product(LayerMatrix::qkv, range, own_.normed1, grad.qkv);
    found_.push_back({kQkvWeightGradients[i], own.weight_gradient_error()});
    own.add_input_gradient(fold, normed);
  }
  const Values got = fold.columns_of(rows_, [&](std::size_t row, std::size_t column) {
    return static_cast<double>(widen(grad.normed[row * width_ + column]));
  });
  found_.push_back({"gradient of the attention norm's output",
                    largest_relative_error(got.data(), normed.data(), normed.size())});
  check_norm_backward("gradient of the input", "gradient of the attention norm's gain", layer_.in(),
                      layout_.attention_norm(0), arrived, grad.stream);
  return std::move(found_);
}

template std::vector<LinkError> LinkSearch<float>::attention_forward();
template std::vector<LinkError> LinkSearch<float>::attention_backward(const float*);
template std::vector<LinkError> LinkSearch<Bf16>::attention_forward();
template std::vector<LinkError> LinkSearch<Bf16>::attention_backward(const Bf16*);
template std::vector<LinkError> LinkSearch<Fp16>::attention_forward();
template std::vector<LinkError> LinkSearch<Fp16>::attention_backward(const Fp16*);

}  // namespace perf::workloads
