#include "workloads/training/lora.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "workloads/kernels/random.h"
#include "workloads/training/layer_matrices.h"

namespace perf::workloads {

LoraLayout::LoraLayout(const ModelShape& shape, const LoraOptions& options) {
  if (options.rank <= 0) {
    return;
  }
  if (!options.layers.empty() && options.layers.size() != shape.depth()) {
    throw std::invalid_argument("adapters are chosen for " + std::to_string(options.layers.size()) +
                                " layers of a model that has " + std::to_string(shape.layers));
  }
  const auto rank = static_cast<std::size_t>(options.rank);
  for (int layer = 0; layer < shape.layers; ++layer) {
    if (!options.layers.empty() && !options.layers[static_cast<std::size_t>(layer)]) {
      continue;
    }
    for (int index = 0; index < kProjections; ++index) {
      const auto target = static_cast<Projection>(index);
      if (std::find(options.targets.begin(), options.targets.end(), target) ==
          options.targets.end()) {
        continue;
      }
      Adapter adapter{.layer = layer, .target = target};
      adapter.inputs = size_of(shape, matrix_of(target)).inputs;
      adapter.outputs = outputs_of(shape, target).count;
      adapter.a = parameters;
      adapter.b = adapter.a + rank * adapter.inputs;
      parameters = adapter.b + rank * adapter.outputs;
      adapters.push_back(adapter);
    }
  }
  if (adapters.empty()) {
    throw std::invalid_argument("LoRA without a target or without a layer: nothing to train");
  }
}

const LoraLayout::Adapter* LoraLayout::find(int layer, Projection target) const {
  for (const Adapter& adapter : adapters) {
    if (adapter.layer == layer && adapter.target == target) {
      return &adapter;
    }
  }
  return nullptr;
}

template <class T>
void fill_initial_adapters(const ModelShape& shape, const LoraOptions& options, std::uint64_t seed,
                           T* adapters) {
  // An adapter has its own numbers, whichever others there are; a start apart from other streams.
  constexpr std::uint32_t kFirstStream = 1U << 20;
  for (const LoraLayout::Adapter& adapter : LoraLayout(shape, options).adapters) {
    const auto place = static_cast<std::uint32_t>(adapter.layer * kProjections) +
                       static_cast<std::uint32_t>(adapter.target);
    const std::uint32_t own = derived_seed(seed, kFirstStream + place);
    const float bound = 1 / std::sqrt(static_cast<float>(adapter.inputs));
    const std::size_t count = adapter.b - adapter.a;
    for (std::size_t i = 0; i < count; ++i) {
      adapters[adapter.a + i] =
          narrow<T>(bound * (2 * random_unit(own, static_cast<std::uint32_t>(i)) - 1));
    }
    std::fill_n(adapters + adapter.b, static_cast<std::size_t>(options.rank) * adapter.outputs,
                narrow<T>(0));
  }
}

template void fill_initial_adapters(const ModelShape&, const LoraOptions&, std::uint64_t, float*);
template void fill_initial_adapters(const ModelShape&, const LoraOptions&, std::uint64_t, Bf16*);
template void fill_initial_adapters(const ModelShape&, const LoraOptions&, std::uint64_t, Fp16*);

}  // namespace perf::workloads
