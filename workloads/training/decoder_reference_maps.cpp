// DecoderReference's linear maps: the projections with their adapters, and the logits.
#include <stdexcept>
#include <utility>

#include "workloads/reference/linear.h"
#include "workloads/reference/parts.h"
#include "workloads/training/decoder_reference.h"

namespace perf::workloads {

using reference::Matrix;

/// A projection of one layer: its weights with where its results go, and its adapter if it has one.
struct DecoderReference::Map {
  Matrix matrix;
  std::size_t weights = 0;  // offset among the parameters
  const LoraLayout::Adapter* adapter = nullptr;
};

DecoderReference::Map DecoderReference::map(int layer, Projection target) const {
  const ModelShape& shape = setup_.shape;
  const std::size_t width = shape.width(), inner = shape.inner();
  const std::size_t queries = shape.query_width(), kv = shape.kv_width();
  // The outputs first .. first + count of a matrix that has `outputs`.
  const auto part = [&](std::size_t offset, std::size_t outputs, std::size_t inputs,
                        std::size_t first, std::size_t count) {
    const std::size_t weights = offset + first * inputs;
    return Map{{&parameters_[weights], inputs, count, first, outputs}, weights, nullptr};
  };
  const auto find = [&] {
    switch (target) {
      case Projection::q:
        return part(layout_.qkv(layer), shape.qkv_width(), width, 0, queries);
      case Projection::k:
        return part(layout_.qkv(layer), shape.qkv_width(), width, queries, kv);
      case Projection::v:
        return part(layout_.qkv(layer), shape.qkv_width(), width, queries + kv, kv);
      case Projection::o:
        return part(layout_.out(layer), width, queries, 0, width);
      case Projection::gate:
        return part(layout_.gate_up(layer), 2 * inner, width, 0, inner);
      case Projection::up:
        return part(layout_.gate_up(layer), 2 * inner, width, inner, inner);
      case Projection::down:
        return part(layout_.down(layer), width, inner, 0, width);
    }
    throw std::invalid_argument("no such projection");
  };
  Map map = find();
  map.adapter = lora_.find(layer, target);
  return map;
}

std::pair<Matrix, Matrix> DecoderReference::adapter_matrices(const Map& map) const {
  const auto rank = static_cast<std::size_t>(setup_.lora.rank);
  const Matrix& beside = map.matrix;
  return {{&adapters_[map.adapter->a], beside.inputs, rank, 0, rank},
          {&adapters_[map.adapter->b], rank, beside.outputs, beside.column, beside.row_width}};
}

double* DecoderReference::gradient(std::size_t offset) {
  return setup_.trains_all() ? &gradients_[offset] : nullptr;
}

void DecoderReference::apply(int layer, Projection target, const Values& in, Values& out) const {
  const std::size_t rows = setup_.rows();
  const Map to = map(layer, target);
  multiply(to.matrix, 1, in.data(), rows, out.data());
  if (to.adapter == nullptr) {
    return;
  }
  // out += (alpha / rank) B (A in)
  const auto [a, b] = adapter_matrices(to);
  Values low(rows * a.outputs);
  multiply(a, 1, in.data(), rows, low.data());
  multiply(b, setup_.lora.alpha / setup_.lora.rank, low.data(), rows, out.data());
}

void DecoderReference::apply_backward(int layer, Projection target, const Values& in,
                                      const Values& grad_out, Values& grad_in) {
  const std::size_t rows = setup_.rows();
  const Map to = map(layer, target);
  multiply_back(to.matrix, 1, grad_out.data(), rows, grad_in.data());
  if (double* grad_weights = gradient(to.weights); grad_weights != nullptr) {
    add_weight_gradient(to.matrix, 1, in.data(), grad_out.data(), rows, grad_weights);
  }
  if (to.adapter == nullptr) {
    return;
  }
  const auto [a, b] = adapter_matrices(to);
  const double scale = setup_.lora.alpha / setup_.lora.rank;
  Values low(rows * a.outputs), grad_low(rows * a.outputs);
  multiply(a, 1, in.data(), rows, low.data());
  add_weight_gradient(b, scale, low.data(), grad_out.data(), rows, &gradients_[to.adapter->b]);
  multiply_back(b, scale, grad_out.data(), rows, grad_low.data());
  add_weight_gradient(a, 1, in.data(), grad_low.data(), rows, &gradients_[to.adapter->a]);
  multiply_back(a, 1, grad_low.data(), rows, grad_in.data());
}

Matrix DecoderReference::output_matrix() const {
  const std::size_t vocabulary = setup_.shape.tokens();
  return {&parameters_[layout_.output()], setup_.shape.width(), vocabulary, 0, vocabulary};
}

void DecoderReference::output_forward() {
  const ModelShape& shape = setup_.shape;
  reference::rms_norm(inputs_.back(), &parameters_[layout_.final_norm()], shape.norm_epsilon,
                      shape.width(), normed_);
  logits_.assign(setup_.rows() * shape.tokens(), 0);
  multiply(output_matrix(), 1, normed_.data(), setup_.rows(), logits_.data());
}

std::vector<double> DecoderReference::output_backward() {
  const ModelShape& shape = setup_.shape;
  const std::size_t rows = setup_.rows(), vocabulary = shape.tokens();
  // Of the mean of -log p[target]: softmax less 1 at the target.
  Values grad_logits = logits_;
  for (std::size_t row = 0; row < rows; ++row) {
    reference::softmax(&grad_logits[row * vocabulary], vocabulary);
    grad_logits[row * vocabulary + static_cast<std::size_t>(targets_[row])] -= 1;
  }
  for (double& value : grad_logits) {
    value /= static_cast<double>(rows);
  }

  const Matrix table = output_matrix();
  Values grad_normed(normed_.size()), grad(normed_.size());
  multiply_back(table, 1, grad_logits.data(), rows, grad_normed.data());
  if (double* grad_table = gradient(layout_.output()); grad_table != nullptr) {
    add_weight_gradient(table, 1, normed_.data(), grad_logits.data(), rows, grad_table);
  }
  reference::rms_norm_backward(inputs_.back(), &parameters_[layout_.final_norm()],
                               shape.norm_epsilon, shape.width(), grad_normed, grad,
                               gradient(layout_.final_norm()));
  return grad;
}

}  // namespace perf::workloads
