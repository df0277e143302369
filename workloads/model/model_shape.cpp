#include "workloads/model/model_shape.h"

#include <array>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace perf::workloads {

namespace {

ModelShape family(int layers, int hidden, int heads, int kv_heads, int head_size, int intermediate,
                  int vocabulary) {
  return {.layers = layers,
          .hidden = hidden,
          .heads = heads,
          .kv_heads = kv_heads,
          .head_size = head_size,
          .intermediate = intermediate,
          .vocabulary = vocabulary};
}

ModelShape untied(ModelShape shape) {
  shape.is_tied = false;
  return shape;
}

ModelShape llama(ModelShape shape, double factor) {
  shape.rope_theta = 5e5;
  shape.norm_epsilon = 1e-5;
  shape.rope_scaling.factor = factor;
  shape.has_qkv_bias = false;
  return shape;
}

// Qwen2.5's and Llama's as in the config.json of each published checkpoint.
const std::vector<std::pair<std::string, ModelShape>>& known_shapes() {
  static const std::vector<std::pair<std::string, ModelShape>> shapes = {
      {"qwen2.5-0.5b", family(24, 896, 14, 2, 64, 4864, 151936)},
      {"qwen2.5-1.5b", family(28, 1536, 12, 2, 128, 8960, 151936)},
      {"qwen2.5-3b", family(36, 2048, 16, 2, 128, 11008, 151936)},
      {"qwen2.5-7b", untied(family(28, 3584, 28, 4, 128, 18944, 152064))},
      {"llama-3.2-1b", llama(family(16, 2048, 32, 8, 64, 8192, 128256), 32)},
      {"llama-3.2-3b", llama(family(28, 3072, 24, 8, 128, 8192, 128256), 32)},
      {"llama-3.1-8b", llama(untied(family(32, 4096, 32, 8, 128, 14336, 128256)), 8)},
      {"tiny", family(4, 512, 8, 2, 64, 2048, 8192)},
      {"micro", family(2, 256, 4, 2, 64, 1024, 4096)},
  };
  return shapes;
}

}  // namespace

std::size_t ModelShape::layer_parameters() const {
  const std::size_t norms = 2 * width(), qkv = qkv_width() * width() + bias_width();
  return norms + qkv + width() * query_width() + 3 * inner() * width();
}

std::size_t ModelShape::parameters() const {
  const std::size_t matrices = is_tied ? 1 : 2;
  return matrices * tokens() * width() + depth() * layer_parameters() + width();
}

const std::vector<std::string>& model_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const auto& [name, shape] : known_shapes()) {
      all.push_back(name);
    }
    return all;
  }();
  return names;
}

ModelShape model_shape(const std::string& name) {
  for (const auto& [known, shape] : known_shapes()) {
    if (known == name) {
      return shape;
    }
  }
  throw std::invalid_argument("no such model: " + name);
}

std::size_t ModelTensor::values() const {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
}

std::size_t ModelLayout::layer(int index) const {
  return shape.tokens() * shape.width() +
         static_cast<std::size_t>(index) * shape.layer_parameters();
}

std::vector<ModelTensor> ModelLayout::tensors() const {
  std::vector<ModelTensor> all;
  std::size_t offset = 0;
  const auto add = [&](std::string name, std::vector<std::size_t> dimensions) {
    all.push_back({.name = std::move(name), .shape = std::move(dimensions), .offset = offset});
    offset += all.back().values();
  };
  const std::size_t width = shape.width(), inner = shape.inner();
  const std::array<std::pair<const char*, std::size_t>, 3> qkv = {
      {{"q", shape.query_width()}, {"k", shape.kv_width()}, {"v", shape.kv_width()}}};
  add("model.embed_tokens.weight", {shape.tokens(), width});
  for (int index = 0; index < shape.layers; ++index) {
    const std::string layer = "model.layers." + std::to_string(index) + ".";
    add(layer + "input_layernorm.weight", {width});
    for (const auto& [name, outputs] : qkv) {
      add(layer + "self_attn." + name + "_proj.weight", {outputs, width});
    }
    if (shape.has_qkv_bias) {
      for (const auto& [name, outputs] : qkv) {
        add(layer + "self_attn." + name + "_proj.bias", {outputs});
      }
    }
    add(layer + "self_attn.o_proj.weight", {width, shape.query_width()});
    add(layer + "post_attention_layernorm.weight", {width});
    add(layer + "mlp.gate_proj.weight", {inner, width});
    add(layer + "mlp.up_proj.weight", {inner, width});
    add(layer + "mlp.down_proj.weight", {width, inner});
  }
  add("model.norm.weight", {width});
  if (!shape.is_tied) {
    add("lm_head.weight", {shape.tokens(), width});
  }
  return all;
}

}  // namespace perf::workloads
