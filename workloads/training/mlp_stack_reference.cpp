#include "workloads/training/mlp_stack_reference.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "workloads/kernels/gelu.h"

namespace perf::workloads {

namespace {

double exact(double value) {
  return value;
}
template <class T>
double exact(T value) {
  return widen(value);
}

template <class T>
std::vector<double> doubles(const T* values, std::size_t count) {
  std::vector<double> all(count);
  std::transform(values, values + count, all.begin(), [](T value) { return exact(value); });
  return all;
}

}  // namespace

template <class Value>
MlpActivations reference_forward(const MlpShape& shape, const Value* parameters,
                                 const Value* input) {
  const std::size_t width = shape.width(), inner = shape.inner();
  MlpActivations result;
  result.outputs.push_back(doubles(input, shape.rows() * width));
  for (int layer = 0; layer < shape.layers; ++layer) {
    const Value* w1 = parameters + shape.w1(layer);
    const Value* b1 = parameters + shape.b1(layer);
    const Value* w2 = parameters + shape.w2(layer);
    const Value* b2 = parameters + shape.b2(layer);
    const std::vector<double> in = result.outputs.back();
    std::vector<double> pre(shape.rows() * inner), out = in;  // the residual
    for (std::size_t row = 0; row < shape.rows(); ++row) {
      const double* x = &in[row * width];
      double* z = &pre[row * inner];
      double* y = &out[row * width];
      std::copy_n(doubles(b1, inner).begin(), inner, z);
      for (std::size_t i = 0; i < width; ++i) {
        for (std::size_t j = 0; j < inner; ++j) {
          z[j] += x[i] * exact(w1[i * inner + j]);
        }
      }
      for (std::size_t i = 0; i < width; ++i) {
        y[i] += exact(b2[i]);
      }
      for (std::size_t j = 0; j < inner; ++j) {
        const double activation = gelu(z[j]);
        for (std::size_t i = 0; i < width; ++i) {
          y[i] += activation * exact(w2[j * width + i]);
        }
      }
    }
    result.pre.push_back(std::move(pre));
    result.outputs.push_back(std::move(out));
  }
  return result;
}

template MlpActivations reference_forward(const MlpShape&, const float*, const float*);
template MlpActivations reference_forward(const MlpShape&, const Bf16*, const Bf16*);
template MlpActivations reference_forward(const MlpShape&, const Fp16*, const Fp16*);
template MlpActivations reference_forward(const MlpShape&, const double*, const double*);

template <class T>
MlpReference::MlpReference(const MlpStackOf<T>& stack) : shape(stack.shape()) {
  const std::size_t values = shape.rows() * shape.width();
  parameters = doubles(stack.parameters(), shape.parameters());
  input = doubles(stack.input(), values);
  target = doubles(stack.target(), values);
}

template MlpReference::MlpReference(const MlpStackOf<float>&);
template MlpReference::MlpReference(const MlpStackOf<Bf16>&);
template MlpReference::MlpReference(const MlpStackOf<Fp16>&);

void MlpReference::forward() {
  activations = reference_forward(shape, parameters.data(), input.data());
}

double MlpReference::loss() const {
  double sum = 0;
  for (std::size_t i = 0; i < target.size(); ++i) {
    sum += std::pow(activations.outputs.back()[i] - target[i], 2);
  }
  return sum / 2 / static_cast<double>(target.size());
}

void MlpReference::backward() {
  const std::size_t width = shape.width(), inner = shape.inner();
  gradients.assign(parameters.size(), 0);
  std::vector<double> grad(target.size());
  for (std::size_t i = 0; i < grad.size(); ++i) {
    grad[i] = (activations.outputs.back()[i] - target[i]) / static_cast<double>(grad.size());
  }
  for (int layer = shape.layers - 1; layer >= 0; --layer) {
    const auto l = static_cast<std::size_t>(layer);
    const double* w1 = &parameters[shape.w1(layer)];
    const double* w2 = &parameters[shape.w2(layer)];
    for (std::size_t row = 0; row < shape.rows(); ++row) {
      const double* x = &activations.outputs[l][row * width];
      const double* z = &activations.pre[l][row * inner];
      double* d_out = &grad[row * width];  // becomes the gradient of x
      const std::vector<double> d(d_out, d_out + width);
      for (std::size_t i = 0; i < width; ++i) {
        gradients[shape.b2(layer) + i] += d[i];
      }
      for (std::size_t j = 0; j < inner; ++j) {
        double d_act = 0;
        for (std::size_t i = 0; i < width; ++i) {
          d_act += d[i] * w2[j * width + i];
          gradients[shape.w2(layer) + j * width + i] += gelu(z[j]) * d[i];
        }
        const double d_z = d_act * gelu_slope(z[j]);
        gradients[shape.b1(layer) + j] += d_z;
        for (std::size_t i = 0; i < width; ++i) {
          gradients[shape.w1(layer) + i * inner + j] += x[i] * d_z;
          d_out[i] += w1[i * inner + j] * d_z;
        }
      }
    }
  }
}

void MlpReference::update(const AdamW& options, int step) {
  reference_optimize({.adamw = options}, step, parameters, gradients, states);
}

}  // namespace perf::workloads
