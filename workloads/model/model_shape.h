#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "workloads/kernels/rotary.h"

namespace perf::workloads {

/// A decoder-only transformer of the Qwen2 kind (Qwen2.5 technical report, arXiv:2412.15115, table
/// 1) or the Llama 3 kind (arXiv:2407.21783): RMSNorm, grouped-query attention, RoPE, SwiGLU. What
/// they differ in: biases on queries, keys and values (Qwen2 has them), scaled RoPE (Llama 3.1 and
/// later); the smaller ones of both have one matrix as embedding and as output ("tied").
struct ModelShape {
  int layers = 1, hidden = 64, heads = 1, kv_heads = 1, head_size = 64, intermediate = 128;
  int vocabulary = 256;
  double rope_theta = 1e6, norm_epsilon = 1e-6;
  RopeScaling rope_scaling = {};
  bool is_tied = true, has_qkv_bias = true;

  std::size_t width() const { return static_cast<std::size_t>(hidden); }        ///< H
  std::size_t inner() const { return static_cast<std::size_t>(intermediate); }  ///< I
  std::size_t tokens() const { return static_cast<std::size_t>(vocabulary); }   ///< V
  std::size_t depth() const { return static_cast<std::size_t>(layers); }
  std::size_t query_width() const {
    return static_cast<std::size_t>(heads) * static_cast<std::size_t>(head_size);
  }
  std::size_t kv_width() const {
    return static_cast<std::size_t>(kv_heads) * static_cast<std::size_t>(head_size);
  }
  std::size_t qkv_width() const { return query_width() + 2 * kv_width(); }
  std::size_t bias_width() const { return has_qkv_bias ? qkv_width() : 0; }

  std::size_t layer_parameters() const;
  std::size_t parameters() const;
};

/// "qwen2.5-0.5b", "qwen2.5-1.5b", "qwen2.5-3b", "qwen2.5-7b", "llama-3.2-1b", "llama-3.2-3b",
/// "llama-3.1-8b", "tiny", and "micro" for the sizes smoke and ci.
const std::vector<std::string>& model_names();
/// Throws std::invalid_argument for another name.
ModelShape model_shape(const std::string& name);

/// One tensor as published checkpoints name it, and where it lies in the array of all parameters.
/// Matrices are (outputs,inputs), row-major.
struct ModelTensor {
  std::string name;                ///< "model.layers.0.self_attn.q_proj.weight"
  std::vector<std::size_t> shape;  ///< one or two dimensions
  std::size_t offset = 0;          ///< values before it

  std::size_t values() const;  ///< how many it has
};

/// Where everything lies in one array of parameters(), without gaps: embedding (V,H); then layer
/// by layer the attention norm (H), q, k, v as one matrix (qkv_width,H) and their bias
/// (bias_width), o (H,query_width), the MLP's norm (H), gate and up as one matrix (2I,H), down
/// (H,I); at last the final norm (H) and, where it is not tied, the output (V,H).
struct ModelLayout {
  explicit ModelLayout(const ModelShape& model) : shape(model) {}

  ModelShape shape;
  std::size_t embedding() const { return 0; }
  std::size_t layer(int index) const;
  std::size_t attention_norm(int index) const { return layer(index); }
  std::size_t qkv(int index) const { return attention_norm(index) + shape.width(); }
  std::size_t qkv_bias(int index) const { return qkv(index) + shape.qkv_width() * shape.width(); }
  std::size_t out(int index) const { return qkv_bias(index) + shape.bias_width(); }
  std::size_t mlp_norm(int index) const { return out(index) + shape.width() * shape.query_width(); }
  std::size_t gate_up(int index) const { return mlp_norm(index) + shape.width(); }
  std::size_t down(int index) const { return gate_up(index) + 2 * shape.inner() * shape.width(); }
  std::size_t final_norm() const { return layer(shape.layers); }
  std::size_t output() const { return shape.is_tied ? embedding() : final_norm() + shape.width(); }

  /// All tensors, in the order in which they lie.
  std::vector<ModelTensor> tensors() const;
};

}  // namespace perf::workloads
