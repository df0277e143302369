#include "workloads/training/training_memory.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>

#include "workloads/kernels/optimizer.h"
#include "workloads/kernels/rms_norm.h"

namespace perf::workloads {

namespace {

// Takes the activations of layer after layer: what the way back reads for each of them, what it
// does not once for all.
template <class T>
class ActivationTaker {
 public:
  ActivationTaker(const TrainingSetup& setup, const LoraLayout& lora, Ledger& memory)
      : setup_(setup), lora_(lora), memory_(memory) {}

  LayerActivations<T> take(int layer) {
    const ModelShape& shape = setup_.shape;
    LayerActivations<T> own;
    own.normed1 =
        input(layer, {Projection::q, Projection::k, Projection::v}, shape.width(), normed1_);
    own.qkv = rows_of(shape.qkv_width());
    own.attention = rows_of(shape.query_width());
    own.middle = rows_of(shape.width());
    own.normed2 = input(layer, {Projection::gate, Projection::up}, shape.width(), normed2_);
    own.gate_up = rows_of(2 * shape.inner());
    own.act = input(layer, {Projection::down}, shape.inner(), act_);
    own.inverse_rms1 = floats(1);
    own.inverse_rms2 = floats(1);
    own.log_sums = floats(static_cast<std::size_t>(shape.heads));
    for (std::size_t target = 0; target < own.low.size(); ++target) {
      if (lora_.find(layer, static_cast<Projection>(target)) != nullptr) {
        own.low[target] = rows_of(static_cast<std::size_t>(setup_.lora.rank));
      }
    }
    return own;
  }

 private:
  T* rows_of(std::size_t width) {
    return memory_.take<T>(Purpose::activations, setup_.rows() * width);
  }
  float* floats(std::size_t width) {
    return memory_.take<float>(Purpose::activations, setup_.rows() * width);
  }

  // The input of a matrix: its weights' gradient reads it again, and so do adapters beside it.
  T* input(int layer, std::initializer_list<Projection> readers, std::size_t width,
           std::optional<T*>& shared) {
    const bool read_again =
        setup_.trains_all() || std::any_of(readers.begin(), readers.end(), [&](Projection reader) {
          return lora_.find(layer, reader) != nullptr;
        });
    if (read_again) {
      return rows_of(width);
    }
    if (!shared) {
      shared = rows_of(width);
    }
    return *shared;
  }

  const TrainingSetup& setup_;
  const LoraLayout& lora_;
  Ledger& memory_;
  std::optional<T*> normed1_, normed2_, act_;
};

// With checkpointing there is one set for all layers: that of one with adapters, if any has them.
template <class T>
std::vector<LayerActivations<T>> take_layers(const TrainingSetup& setup, const LoraLayout& lora,
                                             Ledger& memory) {
  ActivationTaker<T> taker(setup, lora, memory);
  if (setup.checkpointing) {
    const int widest = lora.adapters.empty() ? 0 : lora.adapters.front().layer;
    return std::vector<LayerActivations<T>>(setup.shape.depth(), taker.take(widest));
  }
  std::vector<LayerActivations<T>> layers;
  for (int layer = 0; layer < setup.shape.layers; ++layer) {
    layers.push_back(taker.take(layer));
  }
  return layers;
}

void* take_state(const TrainingSetup& setup, std::size_t count, Ledger& memory) {
  if (setup.state_dtype == DType::fp32) {
    return memory.take<float>(Purpose::optimizer, count);
  }
  return memory.take<std::uint16_t>(Purpose::optimizer, count);
}

}  // namespace

template <class T>
TrainingMemory<T>::TrainingMemory(const TrainingSetup& setup, Ledger& memory) {
  const ModelShape& shape = setup.shape;
  const LoraLayout lora(shape, setup.lora);
  const std::size_t rows = setup.rows();
  const auto activation = [&](std::size_t width) {
    return memory.take<T>(Purpose::activations, rows * width);
  };
  const auto workspace = [&](std::size_t width) {
    return memory.take<T>(Purpose::workspace, rows * width);
  };

  parameters = memory.take<T>(Purpose::weights, shape.parameters());
  adapters = memory.take<T>(Purpose::weights, lora.parameters);
  trained = setup.trains_all() ? parameters : adapters;
  trained_count = setup.trained_parameters();
  gradients = memory.take<T>(Purpose::gradients, trained_count);
  const std::size_t states = setup.gradients_only ? 0 : states_of(setup.optimizer.kind);
  first = states > 0 ? take_state(setup, trained_count, memory) : nullptr;
  second = states > 1 ? take_state(setup, trained_count, memory) : nullptr;

  for (int layer = 0; layer <= shape.layers; ++layer) {
    inputs.push_back(activation(shape.width()));
  }
  layers = take_layers<T>(setup, lora, memory);
  last_normed = activation(shape.width());
  last_inverse_rms = memory.take<float>(Purpose::activations, rows);

  const auto loss_rows = std::min(rows, static_cast<std::size_t>(setup.loss_rows));
  logits = memory.take<T>(Purpose::workspace, loss_rows * shape.tokens());
  grad.stream = workspace(shape.width());
  grad.normed = workspace(shape.width());
  grad.qkv = workspace(shape.qkv_width());
  grad.attention = workspace(shape.query_width());
  grad.act = workspace(shape.inner());
  grad.partial_sums = memory.take<float>(Purpose::workspace, kRmsNormParts * shape.width());
  const auto positions = static_cast<std::size_t>(setup.length);
  const std::size_t table = positions * static_cast<std::size_t>(shape.head_size / 2);
  cosines = memory.take<float>(Purpose::workspace, table);
  sines = memory.take<float>(Purpose::workspace, table);
}

template struct TrainingMemory<float>;
template struct TrainingMemory<Bf16>;
template struct TrainingMemory<Fp16>;

}  // namespace perf::workloads
