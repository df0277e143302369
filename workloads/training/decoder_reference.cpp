#include "workloads/training/decoder_reference.h"

#include <cmath>
#include <stdexcept>
#include <utility>

#include "workloads/reference/parts.h"

namespace perf::workloads {

DecoderReference::DecoderReference(const TrainingSetup& setup, std::vector<double> parameters,
                                   std::vector<double> adapters, std::vector<int> tokens,
                                   std::vector<int> targets)
    : setup_(setup),
      layout_(setup.shape),
      lora_(setup.shape, setup.lora),
      parameters_(std::move(parameters)),
      adapters_(std::move(adapters)),
      tokens_(std::move(tokens)),
      targets_(std::move(targets)),
      inputs_(setup.shape.depth() + 1),
      layers_(setup.shape.depth()) {
  const std::size_t adapter_values = setup.trains_all() ? 0 : lora_.parameters;
  if (parameters_.size() != setup.shape.parameters() || adapters_.size() != adapter_values ||
      tokens_.size() != setup.rows() || targets_.size() != setup.rows()) {
    throw std::invalid_argument("DecoderReference: sizes that do not fit the setup");
  }
}

void DecoderReference::forward_layers() {
  const std::size_t width = setup_.shape.width();
  inputs_[0].clear();
  for (const int token : tokens_) {
    const double* row = &parameters_[layout_.embedding() + static_cast<std::size_t>(token) * width];
    inputs_[0].insert(inputs_[0].end(), row, row + width);
  }
  for (int layer = 0; layer < setup_.shape.layers; ++layer) {
    layer_forward(layer);
  }
}

double DecoderReference::forward() {
  forward_layers();
  output_forward();
  const std::size_t vocabulary = setup_.shape.tokens();
  double sum = 0;
  for (std::size_t row = 0; row < tokens_.size(); ++row) {
    const double* logits = &logits_[row * vocabulary];
    reference::Values p(logits, logits + vocabulary);
    sum += reference::softmax(p.data(), vocabulary) - logits[targets_[row]];
  }
  return sum / static_cast<double>(tokens_.size());
}

std::vector<double> DecoderReference::backward() {
  gradients_.assign(setup_.trained_parameters(), 0);
  Values grad = output_backward();
  return layers_backward(std::move(grad));
}

std::vector<double> DecoderReference::backward_layers(Values grad) {
  gradients_.assign(setup_.trained_parameters(), 0);
  return layers_backward(std::move(grad));
}

std::vector<double> DecoderReference::layers_backward(Values grad) {
  const std::size_t width = setup_.shape.width();
  for (int layer = setup_.shape.layers - 1; layer >= 0; --layer) {
    layer_backward(layer, grad);
  }
  if (double* table = gradient(layout_.embedding()); table != nullptr) {
    for (std::size_t row = 0; row < tokens_.size(); ++row) {
      for (std::size_t i = 0; i < width; ++i) {
        table[static_cast<std::size_t>(tokens_[row]) * width + i] += grad[row * width + i];
      }
    }
  }
  return gradients_;
}

void DecoderReference::layer_forward(int index) {
  const ModelShape& shape = setup_.shape;
  const double epsilon = shape.norm_epsilon;
  const std::size_t rows = setup_.rows(), position = static_cast<std::size_t>(index);
  const Values& in = inputs_[position];
  Layer& layer = layers_[position];

  reference::rms_norm(in, &parameters_[layout_.attention_norm(index)], epsilon, shape.width(),
                      layer.normed1);
  layer.qkv.clear();
  const double* bias = &parameters_[layout_.qkv_bias(index)];
  const Values none(shape.qkv_width());
  bias = shape.has_qkv_bias ? bias : none.data();
  for (std::size_t row = 0; row < rows; ++row) {
    layer.qkv.insert(layer.qkv.end(), bias, bias + shape.qkv_width());
  }
  for (const Projection target : {Projection::q, Projection::k, Projection::v}) {
    apply(index, target, layer.normed1, layer.qkv);
  }
  reference::rotate(qkv_rows(setup_), shape.rope_theta, shape.rope_scaling, 1, layer.qkv);
  reference::attend(qkv_rows(setup_), layer.qkv, layer.attended);
  layer.middle = in;
  apply(index, Projection::o, layer.attended, layer.middle);

  reference::rms_norm(layer.middle, &parameters_[layout_.mlp_norm(index)], epsilon, shape.width(),
                      layer.normed2);
  layer.gate_up.assign(rows * 2 * shape.inner(), 0);
  for (const Projection target : {Projection::gate, Projection::up}) {
    apply(index, target, layer.normed2, layer.gate_up);
  }
  reference::swiglu(layer.gate_up, shape.inner(), layer.activated);
  inputs_[position + 1] = layer.middle;
  apply(index, Projection::down, layer.activated, inputs_[position + 1]);
}

void DecoderReference::layer_backward(int index, Values& grad) {
  const ModelShape& shape = setup_.shape;
  const double epsilon = shape.norm_epsilon;
  const std::size_t rows = setup_.rows(), position = static_cast<std::size_t>(index);
  const Layer& layer = layers_[position];

  // grad is the gradient of the layer's output, and so far of `middle`, which it was added to.
  Values grad_activated(layer.activated.size()), grad_gate_up, grad_normed(grad.size());
  apply_backward(index, Projection::down, layer.activated, grad, grad_activated);
  reference::swiglu_backward(layer.gate_up, shape.inner(), grad_activated, grad_gate_up);
  for (const Projection target : {Projection::gate, Projection::up}) {
    apply_backward(index, target, layer.normed2, grad_gate_up, grad_normed);
  }
  reference::rms_norm_backward(layer.middle, &parameters_[layout_.mlp_norm(index)], epsilon,
                               shape.width(), grad_normed, grad, gradient(layout_.mlp_norm(index)));

  Values grad_attended(layer.attended.size()), grad_qkv;
  apply_backward(index, Projection::o, layer.attended, grad, grad_attended);
  reference::attend_backward(qkv_rows(setup_), layer.qkv, grad_attended, grad_qkv);
  reference::rotate(qkv_rows(setup_), shape.rope_theta, shape.rope_scaling, -1, grad_qkv);
  double* bias = gradient(layout_.qkv_bias(index));
  if (bias != nullptr && shape.has_qkv_bias) {
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t i = 0; i < shape.qkv_width(); ++i) {
        bias[i] += grad_qkv[row * shape.qkv_width() + i];
      }
    }
  }
  grad_normed.assign(grad.size(), 0);
  for (const Projection target : {Projection::q, Projection::k, Projection::v}) {
    apply_backward(index, target, layer.normed1, grad_qkv, grad_normed);
  }
  reference::rms_norm_backward(inputs_[position], &parameters_[layout_.attention_norm(index)],
                               epsilon, shape.width(), grad_normed, grad,
                               gradient(layout_.attention_norm(index)));
}

}  // namespace perf::workloads
