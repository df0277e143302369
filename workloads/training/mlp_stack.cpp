#include "workloads/training/mlp_stack.h"

#include <cmath>

#include "workloads/kernels/gelu.h"
#include "workloads/kernels/linear_parts.h"
#include "workloads/kernels/random.h"

namespace perf::workloads {

double MlpShape::operations() const {
  const double product = 2.0 * tokens * static_cast<double>(width()) * static_cast<double>(inner());
  return product * (6.0 * layers - 1);
}

std::size_t MlpShape::bytes() const {
  const auto floats = [](std::size_t count) { return Arena::room<float>(count); };
  const auto deep = static_cast<std::size_t>(layers);
  return 4 * floats(parameters()) + (deep + 3) * floats(rows() * width()) +
         (2 * deep + 1) * floats(rows() * inner());
}

// The element-wise passes, fused and vectorised, or as plain loops under the backend `reference`.
struct MlpStack::Kernels {
  decltype(&bias_gelu) activate;
  decltype(&bias_gelu_backward) activate_backward;
  decltype(&add_bias) add;
  decltype(&column_sums) sums;
  decltype(&squared_error) error;
  decltype(&adamw) optimize;
};
const MlpStack::Kernels MlpStack::kFast = {bias_gelu,   bias_gelu_backward, add_bias,
                                           column_sums, squared_error,      adamw};
const MlpStack::Kernels MlpStack::kReadable = {
    bias_gelu_reference,   bias_gelu_backward_reference, add_bias_reference,
    column_sums_reference, squared_error_reference,      adamw_reference};

MlpStack::MlpStack(const MlpShape& shape, Backend backend, std::uint64_t seed)
    : shape_(shape),
      backend_(backend),
      kernels_(backend == Backend::reference ? &kReadable : &kFast),
      arena_(shape.bytes()) {
  const auto take = [this](std::size_t count) { return arena_.take<float>(count); };
  for (float** array : {&parameters_, &gradients_, &mean_, &variance_}) {
    *array = take(shape.parameters());
  }
  const std::size_t narrow = shape.rows() * shape.width(), wide = shape.rows() * shape.inner();
  target_ = take(narrow);
  grad_ = take(narrow);
  grad_inner_ = take(wide);
  outputs_.push_back(take(narrow));
  for (int layer = 0; layer < shape.layers; ++layer) {
    outputs_.push_back(take(narrow));
    pre_.push_back(take(wide));
    act_.push_back(take(wide));
  }
  // Variance 1/fan_in keeps pre at unit scale; the branches are damped so that their sum stays so.
  const float bound1 = std::sqrt(3.0F / static_cast<float>(shape.hidden));
  const float bound2 = bound1 / std::sqrt(4.0F * static_cast<float>(shape.layers));
  for (int layer = 0; layer < shape.layers; ++layer) {
    const auto stream = static_cast<std::uint32_t>(2 * layer);
    const std::size_t weights = shape.width() * shape.inner();
    fill_uniform(parameters_ + shape.w1(layer), weights, derived_seed(seed, stream), bound1);
    fill_uniform(parameters_ + shape.w2(layer), weights, derived_seed(seed, stream + 1), bound2);
  }
  fill_uniform(outputs_[0], narrow, derived_seed(seed, 1'000'000), 1.7F);
  fill_uniform(target_, narrow, derived_seed(seed, 1'000'001), 1.7F);
}

void MlpStack::forward() {
  const int n = shape_.tokens, h = shape_.hidden, inner = 4 * h;
  for (int layer = 0; layer < shape_.layers; ++layer) {
    const auto l = static_cast<std::size_t>(layer);
    const float* x = outputs_[l];
    float* out = outputs_[l + 1];
    gemm(backend_, {n, inner, h}, x, parameters_ + shape_.w1(layer), pre_[l]);
    kernels_->activate(pre_[l], parameters_ + shape_.b1(layer), act_[l], shape_.rows(),
                       shape_.inner());
    kernels_->add(x, parameters_ + shape_.b2(layer), out, shape_.rows(), shape_.width());
    gemm(backend_, {.m = n, .n = h, .k = inner, .beta = 1}, act_[l], parameters_ + shape_.w2(layer),
         out);
  }
}

double MlpStack::loss() {
  return kernels_->error(outputs_.back(), target_, grad_, shape_.rows() * shape_.width());
}

void MlpStack::backward() {
  const int n = shape_.tokens, h = shape_.hidden, inner = 4 * h;
  for (int layer = shape_.layers - 1; layer >= 0; --layer) {
    const auto l = static_cast<std::size_t>(layer);
    // grad_ (N,H) holds the gradient of this layer's output; the residual branch hands it on to
    // the input as it is, so the other branch is added to it in place.
    kernels_->sums(grad_, gradients_ + shape_.b2(layer), shape_.rows(), shape_.width());
    gemm(backend_, {.m = inner, .n = h, .k = n, .transpose_a = true}, act_[l], grad_,
         gradients_ + shape_.w2(layer));
    gemm(backend_, {.m = n, .n = inner, .k = h, .transpose_b = true}, grad_,
         parameters_ + shape_.w2(layer), grad_inner_);
    kernels_->activate_backward(pre_[l], grad_inner_, gradients_ + shape_.b1(layer), shape_.rows(),
                                shape_.inner());
    gemm(backend_, {.m = h, .n = inner, .k = n, .transpose_a = true}, outputs_[l], grad_inner_,
         gradients_ + shape_.w1(layer));
    if (layer == 0) {
      break;
    }
    gemm(backend_, {.m = n, .n = h, .k = inner, .transpose_b = true, .beta = 1}, grad_inner_,
         parameters_ + shape_.w1(layer), grad_);
  }
}

void MlpStack::update(const AdamW& options) {
  kernels_->optimize(options, ++step_, shape_.parameters(), parameters_, gradients_, mean_,
                     variance_);
}

}  // namespace perf::workloads
