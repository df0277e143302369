#include "workloads/micro/layer_links.h"

#include "workloads/micro/link_search.h"
#include "workloads/reference/parts.h"

namespace perf::workloads {

using reference::Values;

template <class T>
void LinkSearch<T>::check_norm(const char* name, const T* in, std::size_t gain_offset,
                               const T* out) {
  const Values gain = widened(arrays_.parameters + gain_offset, width_);
  check_rows(name, out, width_, [&](std::size_t row) {
    Values want;
    reference::rms_norm(row_of(in, row, width_), gain.data(), layout_.shape.norm_epsilon, width_,
                        want);
    return want;
  });
}

template <class T>
void LinkSearch<T>::check_norm_backward(const char* name, const char* gain_name, const T* in,
                                        std::size_t gain_offset, const T* arrived,
                                        const T* grad_in) {
  const Values gain = widened(arrays_.parameters + gain_offset, width_);
  Values grad_gain(width_);
  check_rows(name, grad_in, width_, [&](std::size_t row) {
    Values want = row_of(arrived, row, width_);
    reference::rms_norm_backward(row_of(in, row, width_), gain.data(), layout_.shape.norm_epsilon,
                                 width_, row_of(arrays_.grad.normed, row, width_), want,
                                 grad_gain.data());
    return want;
  });
  check_values(gain_name, arrays_.gradients + gain_offset, grad_gain);
}

template void LinkSearch<float>::check_norm(const char*, const float*, std::size_t, const float*);
template void LinkSearch<float>::check_norm_backward(const char*, const char*, const float*,
                                                     std::size_t, const float*, const float*);
template void LinkSearch<Bf16>::check_norm(const char*, const Bf16*, std::size_t, const Bf16*);
template void LinkSearch<Bf16>::check_norm_backward(const char*, const char*, const Bf16*,
                                                    std::size_t, const Bf16*, const Bf16*);
template void LinkSearch<Fp16>::check_norm(const char*, const Fp16*, std::size_t, const Fp16*);
template void LinkSearch<Fp16>::check_norm_backward(const char*, const char*, const Fp16*,
                                                    std::size_t, const Fp16*, const Fp16*);

namespace {

void append(std::vector<LinkError>& links, const std::vector<LinkError>& more) {
  links.insert(links.end(), more.begin(), more.end());
}

}  // namespace

LinkError worst_of(const std::vector<LinkError>& links) {
  LinkError worst;
  for (const LinkError& link : links) {
    if (is_worse(link.error, worst.error)) {
      worst = link;
    }
  }
  return worst;
}

template <class T>
std::vector<LinkError> forward_links(const LayerUnderTest<T>& layer) {
  std::vector<LinkError> links;
  if (layer.part() != LayerPart::mlp) {
    append(links, LinkSearch<T>(layer).attention_forward());
  }
  if (layer.part() != LayerPart::attention) {
    append(links, LinkSearch<T>(layer).mlp_forward());
  }
  return links;
}

template <class T>
std::vector<LinkError> mlp_backward_links(const LayerUnderTest<T>& layer,
                                          const std::vector<T>& gate_up) {
  if (layer.part() == LayerPart::attention) {
    return {};
  }
  return LinkSearch<T>(layer).mlp_backward(gate_up.data());
}

template <class T>
std::vector<LinkError> attention_backward_links(const LayerUnderTest<T>& layer,
                                                const std::vector<T>& arrived) {
  if (layer.part() == LayerPart::mlp) {
    return {};
  }
  return LinkSearch<T>(layer).attention_backward(arrived.data());
}

template <class T>
std::vector<LinkError> all_links(LayerUnderTest<T>& layer) {
  const TrainingSetup& setup = layer.setup();
  layer.forward();
  std::vector<LinkError> links = forward_links(layer);
  const T* gate_up = layer.arrays().layers[0].gate_up;
  const std::vector<T> kept(gate_up, gate_up + setup.rows() * 2 * setup.shape.inner());
  layer.start_backward();
  layer.mlp_backward();
  append(links, mlp_backward_links(layer, kept));
  const std::vector<T> arrived(layer.grad_in(),
                               layer.grad_in() + setup.rows() * setup.shape.width());
  layer.attention_backward();
  append(links, attention_backward_links(layer, arrived));
  return links;
}

#define PERF_LAYER_LINKS(T)                                                          \
  template std::vector<LinkError> forward_links(const LayerUnderTest<T>&);           \
  template std::vector<LinkError> mlp_backward_links(const LayerUnderTest<T>&,       \
                                                     const std::vector<T>&);         \
  template std::vector<LinkError> attention_backward_links(const LayerUnderTest<T>&, \
                                                           const std::vector<T>&);   \
  template std::vector<LinkError> all_links(LayerUnderTest<T>&);
PERF_LAYER_LINKS(float)
PERF_LAYER_LINKS(Bf16)
PERF_LAYER_LINKS(Fp16)
#undef PERF_LAYER_LINKS

}  // namespace perf::workloads
