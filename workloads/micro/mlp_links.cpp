#include "workloads/micro/link_search.h"
#include "workloads/reference/parts.h"

namespace perf::workloads {

using reference::Values;

template <class T>
std::vector<LinkError> LinkSearch<T>::mlp_forward() {
  const T* out = layer_.out();
  check_norm("MLP norm", own_.middle, layout_.mlp_norm(0), own_.normed2);
  check_product("gate and up", product(LayerMatrix::gate_up, own_.normed2),
                [&](std::size_t row, std::size_t column) {
                  return static_cast<double>(widen(own_.gate_up[row * 2 * inner_ + column]));
                });
  check_rows("SwiGLU", own_.act, inner_, [&](std::size_t row) {
    Values want;
    reference::swiglu(row_of(own_.gate_up, row, 2 * inner_), inner_, want);
    return want;
  });
  check_product("output of the MLP", product(LayerMatrix::down, own_.act),
                [&](std::size_t row, std::size_t column) {
                  const std::size_t i = row * width_ + column;
                  return static_cast<double>(widen(out[i])) -
                         static_cast<double>(widen(own_.middle[i]));
                });
  return std::move(found_);
}

template <class T>
std::vector<LinkError> LinkSearch<T>::mlp_backward(const T* gate_up) {
  const LayerGradients<T>& grad = arrays_.grad;
  const ProductOfRows<T> down = product(LayerMatrix::down, own_.act, layer_.grad_out());
  check_input_gradient("gradient of SwiGLU's output", down, grad.act);
  found_.push_back({"gradient of down", down.weight_gradient_error()});
  check_rows("gradient of gate and up's outputs", own_.gate_up, 2 * inner_, [&](std::size_t row) {
    Values want;
    reference::swiglu_backward(row_of(gate_up, row, 2 * inner_), inner_,
                               row_of(grad.act, row, inner_), want);
    return want;
  });
  const ProductOfRows<T> gate = product(LayerMatrix::gate_up, own_.normed2, own_.gate_up);
  check_input_gradient("gradient of the MLP norm's output", gate, grad.normed);
  found_.push_back({"gradient of gate and up", gate.weight_gradient_error()});
  check_norm_backward("gradient of the MLP's input", "gradient of the MLP norm's gain", own_.middle,
                      layout_.mlp_norm(0), layer_.grad_out(), grad.stream);
  return std::move(found_);
}

template std::vector<LinkError> LinkSearch<float>::mlp_forward();
template std::vector<LinkError> LinkSearch<float>::mlp_backward(const float*);
template std::vector<LinkError> LinkSearch<Bf16>::mlp_forward();
template std::vector<LinkError> LinkSearch<Bf16>::mlp_backward(const Bf16*);
template std::vector<LinkError> LinkSearch<Fp16>::mlp_forward();
template std::vector<LinkError> LinkSearch<Fp16>::mlp_backward(const Fp16*);

}  // namespace perf::workloads
