#include "workloads/quantization/synthetic_model.h"

#include <algorithm>
#include <stdexcept>

#include "workloads/kernels/random.h"

namespace perf::workloads {

std::vector<Tensor> SyntheticShape::tensors() const {
  const auto h = static_cast<std::size_t>(hidden);
  const auto i = static_cast<std::size_t>(intermediate);
  const auto v = static_cast<std::size_t>(vocabulary);
  std::vector<Tensor> all = {{"model.embed_tokens.weight", "embedding", Tensor::kNoLayer, v, h}};
  for (int layer = 0; layer < layers; ++layer) {
    const std::string prefix = "model.layers." + std::to_string(layer) + ".";
    for (const char* name : {"q", "k", "v", "o"}) {
      all.push_back({prefix + "self_attn." + name + "_proj.weight", "attention", layer, h, h});
    }
    if (gated) {
      all.push_back({prefix + "mlp.gate_proj.weight", "mlp", layer, i, h});
    }
    all.push_back({prefix + "mlp.up_proj.weight", "mlp", layer, i, h});
    all.push_back({prefix + "mlp.down_proj.weight", "mlp", layer, h, i});
  }
  if (own_output) {
    all.push_back({"lm_head.weight", "output", Tensor::kNoLayer, v, h});
  }
  return all;
}

std::size_t SyntheticShape::parameters() const {
  std::size_t sum = 0;
  for (const Tensor& tensor : tensors()) {
    sum += tensor.values();
  }
  return sum;
}

namespace {

struct NamedShape {
  const char* name;
  SyntheticShape shape;
};

constexpr NamedShape kShapes[] = {
    {"30m", {.layers = 4, .hidden = 768, .intermediate = 3072, .vocabulary = 4000}},
    {"100m", {.layers = 12, .hidden = 768, .intermediate = 3072, .vocabulary = 20000}},
    {"600m",
     {.layers = 24,
      .hidden = 1024,
      .intermediate = 4096,
      .vocabulary = 96000,
      .gated = true,
      .own_output = true}},
    // LLaMA 7B: Touvron et al., arXiv:2302.13971, table 2.
    {"7b",
     {.layers = 32,
      .hidden = 4096,
      .intermediate = 11008,
      .vocabulary = 32000,
      .gated = true,
      .own_output = true}},
};

}  // namespace

const std::vector<std::string>& synthetic_model_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const NamedShape& known : kShapes) {
      all.emplace_back(known.name);
    }
    return all;
  }();
  return names;
}

SyntheticShape synthetic_shape(const std::string& name) {
  for (const NamedShape& known : kShapes) {
    if (name == known.name) {
      return known.shape;
    }
  }
  throw std::invalid_argument("no synthetic model is called " + name);
}

void SyntheticTensors::read(std::size_t tensor, std::size_t first, std::size_t count,
                            float* values) const {
  constexpr std::size_t kBlock = 1 << 14;
  const std::size_t columns = tensors_[tensor].columns, begin = first * columns;
  const std::size_t size = count * columns;
  const std::uint32_t own = derived_seed(seed_, static_cast<std::uint32_t>(tensor));
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < size; i += kBlock) {
    fill_normal_part(values + i, begin + i, std::min(kBlock, size - i), own, kDeviation);
  }
}

}  // namespace perf::workloads
