#include "workloads/training/mlp_stack.h"

#include <cmath>
#include <type_traits>

#include "workloads/kernels/gelu.h"
#include "workloads/kernels/linear_parts.h"
#include "workloads/kernels/random.h"

namespace perf::workloads {

double MlpShape::operations() const {
  const double product = 2.0 * tokens * static_cast<double>(width()) * static_cast<double>(inner());
  return product * (6.0 * layers - 1);
}

std::size_t MlpShape::bytes(DType dtype) const {
  const auto room = [&](std::size_t count) {
    return dtype == DType::fp32 ? Arena::room<float>(count) : Arena::room<Bf16>(count);
  };
  const auto deep = static_cast<std::size_t>(layers);
  return 2 * room(parameters()) + 2 * Arena::room<float>(parameters()) +
         (deep + 3) * room(rows() * width()) + (2 * deep + 1) * room(rows() * inner());
}

namespace {

template <class T>
Ledger scratch_of(Backend backend) {
  Ledger counted;
  Products<T>(backend, counted);
  return Ledger(counted);
}

template <class T>
void fill(T* values, std::size_t count, std::uint32_t seed, float bound) {
  if constexpr (std::is_same_v<T, float>) {
    fill_uniform(values, count, seed, bound);
  } else {
    std::vector<float> wide(count);
    fill_uniform(wide.data(), count, seed, bound);
    narrow(wide.data(), count, values);
  }
}

}  // namespace

// The element-wise passes, fused and vectorised, or as plain loops under the backend `reference`.
template <class T>
struct MlpStackOf<T>::Kernels {
  decltype(&bias_gelu<T>) activate;
  decltype(&bias_gelu_backward<T>) activate_backward;
  decltype(&add_bias<T>) add;
  decltype(&column_sums<T>) sums;
  decltype(&squared_error<T>) error;
  decltype(&adamw<T>) optimize;
};
template <class T>
const typename MlpStackOf<T>::Kernels MlpStackOf<T>::kFast = {
    bias_gelu<T>, bias_gelu_backward<T>, add_bias<T>, column_sums<T>, squared_error<T>, adamw<T>};
template <class T>
const typename MlpStackOf<T>::Kernels MlpStackOf<T>::kReadable = {
    bias_gelu_reference<T>,   bias_gelu_backward_reference<T>, add_bias_reference<T>,
    column_sums_reference<T>, squared_error_reference<T>,      adamw_reference<T>};

template <class T>
MlpStackOf<T>::MlpStackOf(const MlpShape& shape, Backend backend, std::uint64_t seed)
    : shape_(shape),
      kernels_(backend == Backend::reference ? &kReadable : &kFast),
      scratch_(scratch_of<T>(backend)),
      products_(backend, scratch_),
      arena_(shape.bytes(kDType<T>)) {
  const auto take = [this](std::size_t count) { return arena_.take<T>(count); };
  for (T** array : {&parameters_, &gradients_}) {
    *array = take(shape.parameters());
  }
  for (float** array : {&mean_, &variance_}) {
    *array = arena_.take<float>(shape.parameters());
  }
  const std::size_t slim = shape.rows() * shape.width(), wide = shape.rows() * shape.inner();
  target_ = take(slim);
  grad_ = take(slim);
  grad_inner_ = take(wide);
  outputs_.push_back(take(slim));
  for (int layer = 0; layer < shape.layers; ++layer) {
    outputs_.push_back(take(slim));
    pre_.push_back(take(wide));
    act_.push_back(take(wide));
  }
  // Variance 1/fan_in keeps pre at unit scale; the branches are damped so that their sum stays so.
  const float bound1 = std::sqrt(3.0F / static_cast<float>(shape.hidden));
  const float bound2 = bound1 / std::sqrt(4.0F * static_cast<float>(shape.layers));
  for (int layer = 0; layer < shape.layers; ++layer) {
    const auto stream = static_cast<std::uint32_t>(2 * layer);
    const std::size_t weights = shape.width() * shape.inner();
    fill(parameters_ + shape.w1(layer), weights, derived_seed(seed, stream), bound1);
    fill(parameters_ + shape.w2(layer), weights, derived_seed(seed, stream + 1), bound2);
  }
  fill(outputs_[0], slim, derived_seed(seed, 1'000'000), 1.7F);
  fill(target_, slim, derived_seed(seed, 1'000'001), 1.7F);
}

template <class T>
void MlpStackOf<T>::forward() {
  const int n = shape_.tokens, h = shape_.hidden, inner = 4 * h;
  for (int layer = 0; layer < shape_.layers; ++layer) {
    const auto l = static_cast<std::size_t>(layer);
    const T* x = outputs_[l];
    T* out = outputs_[l + 1];
    products_.multiply({n, inner, h}, x, parameters_ + shape_.w1(layer), pre_[l]);
    kernels_->activate(pre_[l], parameters_ + shape_.b1(layer), act_[l], shape_.rows(),
                       shape_.inner());
    kernels_->add(x, parameters_ + shape_.b2(layer), out, shape_.rows(), shape_.width());
    products_.multiply({.m = n, .n = h, .k = inner, .beta = 1}, act_[l],
                       parameters_ + shape_.w2(layer), out);
  }
}

template <class T>
double MlpStackOf<T>::loss() {
  return kernels_->error(outputs_.back(), target_, loss_scale(), grad_,
                         shape_.rows() * shape_.width());
}

template <class T>
void MlpStackOf<T>::backward() {
  const int n = shape_.tokens, h = shape_.hidden, inner = 4 * h;
  for (int layer = shape_.layers - 1; layer >= 0; --layer) {
    const auto l = static_cast<std::size_t>(layer);
    // grad_ (N,H) holds the gradient of this layer's output; the residual branch hands it on to
    // the input as it is, so the other branch is added to it in place.
    kernels_->sums(grad_, gradients_ + shape_.b2(layer), shape_.rows(), shape_.width());
    products_.multiply({.m = inner, .n = h, .k = n, .transpose_a = true}, act_[l], grad_,
                       gradients_ + shape_.w2(layer));
    products_.multiply({.m = n, .n = inner, .k = h, .transpose_b = true}, grad_,
                       parameters_ + shape_.w2(layer), grad_inner_);
    kernels_->activate_backward(pre_[l], grad_inner_, gradients_ + shape_.b1(layer), shape_.rows(),
                                shape_.inner());
    products_.multiply({.m = h, .n = inner, .k = n, .transpose_a = true}, outputs_[l], grad_inner_,
                       gradients_ + shape_.w1(layer));
    if (layer == 0) {
      break;
    }
    products_.multiply({.m = n, .n = h, .k = inner, .transpose_b = true, .beta = 1}, grad_inner_,
                       parameters_ + shape_.w1(layer), grad_);
  }
}

template <class T>
void MlpStackOf<T>::update(const AdamW& options) {
  kernels_->optimize(options, 1 / loss_scale(), ++step_, shape_.parameters(), parameters_,
                     gradients_, mean_, variance_);
}

template <class T>
double MlpStackOf<T>::loss_scale() const {
  return std::is_same_v<T, Fp16> ? static_cast<double>(shape_.rows() * shape_.width()) : 1;
}

template class MlpStackOf<float>;
template class MlpStackOf<Bf16>;
template class MlpStackOf<Fp16>;

}  // namespace perf::workloads
