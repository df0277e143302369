#include "workloads/micro/layer_under_test.h"

#include <algorithm>
#include <vector>

#include "workloads/kernels/random.h"
#include "workloads/kernels/spoil.h"
#include "workloads/model/initial_weights.h"
#include "workloads/training/step_operations.h"

namespace perf::workloads {

namespace {

// Apart from the weights' streams.
constexpr std::uint32_t kLayerInputStream = 2'000'021, kLayerGradientStream = 2'000'022;

template <class T>
void fill_rows(std::uint64_t seed, std::uint32_t stream, std::size_t count, T* rows) {
  std::vector<float> values(count);
  fill_normal(values.data(), count, derived_seed(seed, stream), 1);
  narrow(values.data(), count, rows);
}

}  // namespace

TrainingSetup layer_setup(LayerPart part, const ModelShape& model) {
  TrainingSetup setup;
  setup.shape = model;
  setup.shape.layers = 1;
  setup.shape.vocabulary = 1;
  setup.shape.is_tied = true;  // no output: it is not the layer's
  setup.gradients_only = true;
  setup.loss_rows = 1;
  if (part == LayerPart::attention) {
    setup.shape.intermediate = 1;
  }
  if (part == LayerPart::mlp) {
    setup.shape.heads = setup.shape.kv_heads = 1;
    setup.shape.head_size = 32;  // the MLP's matrices stay aligned to 64 bytes, in 16 bits too
  }
  return setup;
}

template <class T>
LayerUnderTest<T>::Parts::Parts(const TrainingSetup& setup, Ledger& memory)
    : arrays(setup, memory),
      grad_out(memory.take<T>(Purpose::activations, setup.rows() * setup.shape.width())),
      products(setup.backend, memory),
      layer_products(setup, arrays, products, memory),
      attention(setup, arrays, layer_products, memory),
      mlp(setup, arrays, layer_products) {}

template <class T>
Ledger LayerUnderTest<T>::room_for(const TrainingSetup& setup) {
  Ledger counted;
  Parts(setup, counted);
  return Ledger(counted);
}

template <class T>
std::size_t LayerUnderTest<T>::bytes(const TrainingSetup& setup) {
  Ledger counted;
  Parts(setup, counted);
  return counted.total();
}

template <class T>
LayerUnderTest<T>::LayerUnderTest(LayerPart part, const TrainingSetup& setup, std::uint64_t seed)
    : part_(part), setup_(setup), memory_(room_for(setup)), parts_(setup, memory_) {
  const std::size_t count = setup.rows() * setup.shape.width();
  fill_initial_weights(setup.shape, seed, arrays().parameters);
  fill_rows(seed, kLayerInputStream, count, in());
  fill_rows(seed, kLayerGradientStream, count, grad_out());
}

template <class T>
T* LayerUnderTest<T>::in() const {
  return part_ == LayerPart::mlp ? arrays().layers[0].middle : arrays().inputs[0];
}

template <class T>
T* LayerUnderTest<T>::out() const {
  return part_ == LayerPart::attention ? arrays().layers[0].middle : arrays().inputs[1];
}

template <class T>
void LayerUnderTest<T>::forward() {
  if (part_ != LayerPart::mlp) {
    parts_.attention.forward(0, in());
  }
  if (part_ != LayerPart::attention) {
    parts_.mlp.forward(0, out());
  }
}

template <class T>
void LayerUnderTest<T>::backward() {
  start_backward();
  mlp_backward();
  attention_backward();
}

// The way back goes down in place.
template <class T>
void LayerUnderTest<T>::start_backward() {
  const std::size_t count = setup_.rows() * setup_.shape.width();
  const T* from = grad_out();
  T* to = grad_in();
#pragma omp parallel for simd schedule(static)
  for (std::size_t i = 0; i < count; ++i) {
    to[i] = from[i];
  }
}

template <class T>
void LayerUnderTest<T>::mlp_backward() {
  if (part_ != LayerPart::attention) {
    parts_.mlp.backward(0);
  }
}

template <class T>
void LayerUnderTest<T>::attention_backward() {
  if (part_ != LayerPart::mlp) {
    parts_.attention.backward(0, in());
  }
}

template <class T>
void LayerUnderTest<T>::spoil_results() {
  const std::size_t count = setup_.rows() * setup_.shape.width();
  spoil(out(), count);
  spoil(grad_in(), count);
  spoil(arrays().gradients, arrays().trained_count);
}

template class LayerUnderTest<float>;
template class LayerUnderTest<Bf16>;
template class LayerUnderTest<Fp16>;

double layer_operations(LayerPart part, const TrainingSetup& setup) {
  double sum = 0;
  if (part != LayerPart::mlp) {
    sum += attention_block_operations(setup, 0);
  }
  if (part != LayerPart::attention) {
    sum += mlp_block_operations(setup, 0);
  }
  return sum;
}

}  // namespace perf::workloads
