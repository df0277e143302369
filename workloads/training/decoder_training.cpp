#include "workloads/training/decoder_training.h"

#include <algorithm>
#include <exception>
#include <stdexcept>

#include "workloads/kernels/embedding.h"
#include "workloads/model/initial_weights.h"
#include "workloads/training/batch.h"
#include "workloads/training/lora.h"
#include "workloads/training/step_operations.h"

namespace perf::workloads {

namespace {

template <class T>
std::vector<float> widened_to_floats(const T* values, std::size_t count) {
  std::vector<float> wide(count);
#pragma omp parallel for simd schedule(static)
  for (std::size_t i = 0; i < count; ++i) {
    wide[i] = widen(values[i]);
  }
  return wide;
}

// By all threads, a piece at a time.
template <class T>
void read_parameters(const ParameterSource& source, T* parameters) {
  constexpr std::size_t kPiece = std::size_t{1} << 18;
  std::exception_ptr failure;  // none may leave a parallel loop
  for (const ModelTensor& tensor : ModelLayout(source.shape()).tensors()) {
#pragma omp parallel for schedule(dynamic)
    for (std::size_t first = 0; first < tensor.values(); first += kPiece) {
      try {
        std::vector<float> piece(std::min(kPiece, tensor.values() - first));
        source.read(tensor, first, piece.size(), piece.data());
        narrow(piece.data(), piece.size(), parameters + tensor.offset + first);
      } catch (...) {
#pragma omp critical(training_parameters_failure)
        failure = std::current_exception();
      }
    }
  }
  if (failure) {
    std::rethrow_exception(failure);
  }
}

}  // namespace

template <class T>
DecoderTraining<T>::DecoderTraining(const TrainingSetup& setup, std::uint64_t seed, Ledger& memory,
                                    const ParameterSource* weights)
    : setup_(setup),
      reach_(setup.shape, setup.lora),
      arrays_(setup, memory),
      products_(setup.backend, memory),
      layer_products_(setup, arrays_, products_, memory),
      attention_(setup, arrays_, layer_products_, memory),
      mlp_(setup, arrays_, layer_products_),
      head_(setup, arrays_, products_) {
  if (memory.counting()) {
    return;
  }
  fill_batch(setup.shape.vocabulary, seed, static_cast<std::size_t>(setup.batch),
             static_cast<std::size_t>(setup.length), tokens_, targets_);
  if (weights != nullptr) {
    read_parameters(*weights, arrays_.parameters);
  } else {
    fill_initial_weights(setup.shape, seed, arrays_.parameters);
  }
  fill_initial_adapters(setup.shape, setup.lora, seed, arrays_.adapters);
}

template <class T>
void DecoderTraining<T>::forward() {
  const ModelShape& shape = setup_.shape;
  embed(arrays_.parameters + ModelLayout(shape).embedding(), tokens_.data(), tokens_.size(),
        shape.width(), arrays_.inputs[0]);
  for (int layer = 0; layer < shape.layers; ++layer) {
    const auto index = static_cast<std::size_t>(layer);
    attention_.forward(layer, arrays_.inputs[index]);
    mlp_.forward(layer, arrays_.inputs[index + 1]);
  }
}

template <class T>
double DecoderTraining<T>::loss() {
  return head_.loss(targets_.data());
}

template <class T>
void DecoderTraining<T>::backward() {
  const ModelShape& shape = setup_.shape;
  for (int layer = shape.layers - 1; layer >= reach_.lowest_layer(); --layer) {
    const T* in = arrays_.inputs[static_cast<std::size_t>(layer)];
    // The one set of activations is still the top layer's.
    if (setup_.checkpointing && layer < shape.layers - 1) {
      attention_.forward(layer, in);
      mlp_.forward(layer, nullptr);
    }
    if (mlp_.backward(layer)) {
      attention_.backward(layer, in);
    }
  }
  if (setup_.trains_all()) {
    T* gradient = arrays_.gradients + ModelLayout(shape).embedding();
    if (!shape.is_tied) {  // else the output has left its own there
      std::fill_n(gradient, shape.tokens() * shape.width(), T{});
    }
    embed_backward(arrays_.grad.stream, tokens_.data(), tokens_.size(), shape.width(), gradient);
  }
}

template <class T>
void DecoderTraining<T>::update() {
  if (setup_.gradients_only) {
    throw std::logic_error("update() of a run that takes gradients only");
  }
  OptimizerOptions options = setup_.optimizer;
  options.gradient_scale /= setup_.loss_scale;
  const auto step = [&]<class State>(State* first, State* second) {
    optimize(options, ++step_, arrays_.trained_count, arrays_.trained, arrays_.gradients, first,
             second);
  };
  if (setup_.state_dtype == DType::fp32) {
    step(static_cast<float*>(arrays_.first), static_cast<float*>(arrays_.second));
  } else {
    step(static_cast<T*>(arrays_.first), static_cast<T*>(arrays_.second));
  }
}

template <class T>
double DecoderTraining<T>::operations() const {
  return step_operations(setup_);
}

template <class T>
std::vector<float> DecoderTraining<T>::parameters(std::size_t offset, std::size_t count) const {
  return widened_to_floats(arrays_.parameters + offset, count);
}

template <class T>
std::vector<float> DecoderTraining<T>::adapters() const {
  return setup_.trains_all() ? std::vector<float>()
                             : widened_to_floats(arrays_.adapters, arrays_.trained_count);
}

template <class T>
std::vector<float> DecoderTraining<T>::gradients(std::size_t offset, std::size_t count) const {
  std::vector<float> values = widened_to_floats(arrays_.gradients + offset, count);
  const auto factor = static_cast<float>(1 / setup_.loss_scale);
  for (float& value : values) {
    value *= factor;
  }
  return values;
}

template <class T>
std::vector<float> DecoderTraining<T>::layer_input(int layer) const {
  return widened_to_floats(arrays_.inputs[static_cast<std::size_t>(layer)],
                           setup_.rows() * setup_.shape.width());
}

template <class T>
std::vector<float> DecoderTraining<T>::logits(std::size_t row) {
  return head_.logits(row);
}

template <class T>
void DecoderTraining<T>::set_trained(std::size_t offset, const std::vector<float>& values) {
  if (offset + values.size() > arrays_.trained_count) {
    throw std::invalid_argument("more values than are trained");
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    arrays_.trained[offset + i] = narrow<T>(values[i]);
  }
}

template class DecoderTraining<float>;
template class DecoderTraining<Bf16>;
template class DecoderTraining<Fp16>;

}  // namespace perf::workloads
