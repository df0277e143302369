#include "workloads/model/model_shape.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <stdexcept>

namespace perf::workloads {
namespace {

TEST(ModelShape, CountsTheParametersOfThePublishedModels) {
  // What `sum(p.numel() for p in model.parameters())` gives for each checkpoint.
  EXPECT_EQ(model_shape("qwen2.5-0.5b").parameters(), 494'032'768U);
  EXPECT_EQ(model_shape("qwen2.5-1.5b").parameters(), 1'543'714'304U);
  EXPECT_EQ(model_shape("qwen2.5-3b").parameters(), 3'085'938'688U);
  EXPECT_EQ(model_shape("qwen2.5-7b").parameters(), 7'615'616'512U);
  EXPECT_EQ(model_shape("llama-3.2-1b").parameters(), 1'235'814'400U);
  EXPECT_EQ(model_shape("llama-3.2-3b").parameters(), 3'212'749'824U);
  EXPECT_EQ(model_shape("llama-3.1-8b").parameters(), 8'030'261'248U);
}

TEST(ModelShape, CountsASmallOneAsByHand) {
  const ModelShape shape{.layers = 1,
                         .hidden = 6,
                         .heads = 2,
                         .kv_heads = 1,
                         .head_size = 4,
                         .intermediate = 5,
                         .vocabulary = 7};
  // 2 norms, q k v (8 + 4 + 4) with biases, o, gate, up, down.
  constexpr std::size_t kLayer = 2 * 6 + 16 * 6 + 16 + 6 * 8 + 3 * 5 * 6;
  EXPECT_EQ(shape.layer_parameters(), kLayer);
  EXPECT_EQ(shape.parameters(), 7 * 6 + kLayer + 6);
}

TEST(ModelShape, KnowsItsNamesAndNoOthers) {
  EXPECT_EQ(model_names(), (std::vector<std::string>{"qwen2.5-0.5b", "qwen2.5-1.5b", "qwen2.5-3b",
                                                     "qwen2.5-7b", "llama-3.2-1b", "llama-3.2-3b",
                                                     "llama-3.1-8b", "tiny", "micro"}));
  for (const std::string& name : model_names()) {
    const ModelShape shape = model_shape(name);
    EXPECT_EQ(shape.heads % shape.kv_heads, 0) << name;
    EXPECT_EQ(shape.heads * shape.head_size, shape.hidden) << name;
  }
  EXPECT_THROW(model_shape("qwen2.5-14b"), std::invalid_argument);
}

TEST(ModelLayout, TensorsLieSideBySideWithoutGaps) {
  for (const std::string& name : model_names()) {
    const ModelShape shape = model_shape(name);
    std::size_t end = 0;
    for (const ModelTensor& tensor : ModelLayout(shape).tensors()) {
      EXPECT_EQ(tensor.offset, end) << tensor.name;
      end += tensor.values();
    }
    EXPECT_EQ(end, shape.parameters()) << name;
  }
}

TEST(ModelLayout, TensorsLieWhereTheLayoutSays) {
  const ModelShape shape = model_shape("tiny");
  const ModelLayout layout(shape);
  std::map<std::string, std::size_t> offsets;
  for (const ModelTensor& tensor : layout.tensors()) {
    offsets[tensor.name] = tensor.offset;
  }
  ASSERT_EQ(offsets.size(), 2U + 12U * 4U);
  EXPECT_EQ(offsets.at("model.embed_tokens.weight"), layout.embedding());
  EXPECT_EQ(offsets.at("model.norm.weight"), layout.final_norm());
  for (int layer = 0; layer < shape.layers; ++layer) {
    const auto at = [&](const std::string& part) {
      return offsets.at("model.layers." + std::to_string(layer) + "." + part);
    };
    const std::size_t width = shape.width(), queries = shape.query_width(), kv = shape.kv_width();
    EXPECT_EQ(at("input_layernorm.weight"), layout.attention_norm(layer));
    EXPECT_EQ(at("self_attn.q_proj.weight"), layout.qkv(layer));
    EXPECT_EQ(at("self_attn.k_proj.weight"), layout.qkv(layer) + queries * width);
    EXPECT_EQ(at("self_attn.v_proj.weight"), layout.qkv(layer) + (queries + kv) * width);
    EXPECT_EQ(at("self_attn.q_proj.bias"), layout.qkv_bias(layer));
    EXPECT_EQ(at("self_attn.k_proj.bias"), layout.qkv_bias(layer) + queries);
    EXPECT_EQ(at("self_attn.v_proj.bias"), layout.qkv_bias(layer) + queries + kv);
    EXPECT_EQ(at("self_attn.o_proj.weight"), layout.out(layer));
    EXPECT_EQ(at("post_attention_layernorm.weight"), layout.mlp_norm(layer));
    EXPECT_EQ(at("mlp.gate_proj.weight"), layout.gate_up(layer));
    EXPECT_EQ(at("mlp.up_proj.weight"), layout.gate_up(layer) + shape.inner() * width);
    EXPECT_EQ(at("mlp.down_proj.weight"), layout.down(layer));
  }
}

TEST(ModelLayout, HasTheOutputAtTheEndWhereItIsNotTheEmbedding) {
  const ModelShape shape = model_shape("llama-3.1-8b");
  const ModelLayout layout(shape);
  const std::vector<ModelTensor> tensors = layout.tensors();
  ASSERT_EQ(tensors.size(), 3U + 9U * 32U);  // no biases
  EXPECT_EQ(tensors.back().name, "lm_head.weight");
  EXPECT_EQ(tensors.back().offset, layout.output());
  EXPECT_EQ(tensors.back().offset + tensors.back().values(), shape.parameters());
  EXPECT_EQ(layout.out(3), layout.qkv_bias(3));
  EXPECT_EQ(ModelLayout(model_shape("llama-3.2-1b")).output(), layout.embedding());
}

TEST(ModelLayout, ShapesAreOutputsByInputs) {
  const ModelShape shape = model_shape("qwen2.5-0.5b");
  const std::vector<ModelTensor> tensors = ModelLayout(shape).tensors();
  const auto shape_of = [&](const std::string& name) {
    const auto found = std::find_if(tensors.begin(), tensors.end(),
                                    [&](const ModelTensor& tensor) { return tensor.name == name; });
    return found == tensors.end() ? std::vector<std::size_t>{} : found->shape;
  };
  using Dimensions = std::vector<std::size_t>;
  EXPECT_EQ(shape_of("model.embed_tokens.weight"), (Dimensions{151936, 896}));
  EXPECT_EQ(shape_of("model.layers.23.self_attn.k_proj.weight"), (Dimensions{128, 896}));
  EXPECT_EQ(shape_of("model.layers.23.self_attn.k_proj.bias"), (Dimensions{128}));
  EXPECT_EQ(shape_of("model.layers.0.mlp.down_proj.weight"), (Dimensions{896, 4864}));
  EXPECT_EQ(shape_of("model.layers.0.mlp.gate_proj.weight"), (Dimensions{4864, 896}));
  EXPECT_EQ(shape_of("model.norm.weight"), (Dimensions{896}));
}

}  // namespace
}  // namespace perf::workloads
