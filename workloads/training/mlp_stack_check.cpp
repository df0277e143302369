#include "workloads/training/mlp_stack_check.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "workloads/kernels/agreement.h"
#include "workloads/training/finetuning_check.h"
#include "workloads/training/mlp_stack_reference.h"

namespace perf::workloads {

namespace {

template <class T>
std::vector<double> as_doubles(const T* values, std::size_t count, double scale = 1) {
  std::vector<double> wide(count);
  for (std::size_t i = 0; i < count; ++i) {
    wide[i] = double{widen(values[i])} / scale;
  }
  return wide;
}

}  // namespace

MlpTolerances mlp_tolerances(DType dtype) {
  if (dtype == DType::fp32) {
    return {};
  }
  const double r = rounding_of(dtype);
  return {.forward = 4 * r, .gradient = 8 * r};
}

template <class T>
double forward_error(const MlpStackOf<T>& stack, std::size_t rows) {
  MlpShape slice = stack.shape();
  slice.tokens = static_cast<int>(std::min(rows, slice.rows()));
  const MlpActivations reference = reference_forward(slice, stack.parameters(), stack.input());
  const std::vector<double>& want = reference.outputs.back();
  return largest_relative_error(as_doubles(stack.output(), want.size()).data(), want.data(),
                                want.size());
}

template <class T>
double gradient_error(const MlpStackOf<T>& stack) {
  MlpReference reference(stack);
  reference.forward();
  reference.backward();
  const MlpShape& shape = stack.shape();
  double worst = 0;
  const auto compare = [&](std::size_t offset, std::size_t count) {
    const std::vector<double> got =
        as_doubles(stack.gradients() + offset, count, stack.loss_scale());
    keep_worse(worst, largest_relative_error(got.data(), &reference.gradients[offset], count));
  };
  for (int layer = 0; layer < shape.layers; ++layer) {
    compare(shape.w1(layer), shape.width() * shape.inner());
    compare(shape.b1(layer), shape.inner());
    compare(shape.w2(layer), shape.width() * shape.inner());
    compare(shape.b2(layer), shape.width());
  }
  return worst;
}

template <class T>
double update_error(MlpStackOf<T>& stack, const AdamW& options) {
  const std::size_t count = stack.shape().parameters();
  MlpReference reference(stack);
  reference.gradients = as_doubles(stack.gradients(), count, stack.loss_scale());
  const std::vector<double> before = reference.parameters;
  reference.update(options, 1);
  stack.update(options);
  const std::vector<double> now = as_doubles(stack.parameters(), count);
  const double rounding = kDType<T> == DType::fp32 ? 0 : rounding_of(kDType<T>);
  double error = 0, change = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double want = reference.parameters[i];
    keep_worse(error, std::abs(now[i] - want) - rounding * std::abs(want));
    keep_worse(change, std::abs(want - before[i]));
  }
  return error / change;
}

#define PERF_MLP_STACK_CHECK(T)                                     \
  template double forward_error(const MlpStackOf<T>&, std::size_t); \
  template double gradient_error(const MlpStackOf<T>&);             \
  template double update_error(MlpStackOf<T>&, const AdamW&);
PERF_MLP_STACK_CHECK(float)
PERF_MLP_STACK_CHECK(Bf16)
PERF_MLP_STACK_CHECK(Fp16)
#undef PERF_MLP_STACK_CHECK

}  // namespace perf::workloads
