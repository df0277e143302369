#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "workloads/kernels/arena.h"
#include "workloads/kernels/attention.h"
#include "workloads/kernels/gemm.h"

namespace perf::workloads {

/// A decoder-only transformer of the LLaMA kind: RMSNorm, RoPE, grouped-query attention, SwiGLU,
/// and one matrix as embedding and as output ("tied").
struct DecoderShape {
  int layers = 1, hidden = 64, heads = 1, kv_heads = 1, intermediate = 128, vocabulary = 256;
  int context = 64;  ///< positions that the KV cache holds, and rows that one call may bring

  std::size_t width() const { return static_cast<std::size_t>(hidden); }
  std::size_t inner() const { return static_cast<std::size_t>(intermediate); }
  std::size_t tokens() const { return static_cast<std::size_t>(vocabulary); }
  std::size_t positions() const { return static_cast<std::size_t>(context); }
  std::size_t head_size() const { return width() / static_cast<std::size_t>(heads); }
  std::size_t kv_width() const { return static_cast<std::size_t>(kv_heads) * head_size(); }
  std::size_t qkv_width() const { return width() + 2 * kv_width(); }
  Attention attention() const;

  std::size_t layer_parameters() const;
  std::size_t parameters() const;
  std::size_t cache_bytes() const;  ///< keys and values of all layers
  std::size_t bytes(int threads) const;
};

/// Weights of one layer. Matrices are (outputs,inputs), row-major, as matrix-vector kernels and
/// published checkpoints have them.
struct DecoderLayer {
  float* attention_norm;  // (H)
  float* qkv;             // (H + 2*kv_width, H): queries, keys, values
  float* out;             // (H,H)
  float* mlp_norm;        // (H)
  float* gate_up;         // (2I,H): gate, up
  float* down;            // (H,I)
  float *keys, *values;   // (kv_heads,context,S): the cache
};

class Decoder {
 public:
  /// Random weights from `seed`; `threads` workspaces. Throws std::bad_alloc.
  Decoder(const DecoderShape& shape, Backend backend, int threads, std::uint64_t seed);

  /// Forgets all tokens.
  void reset() { length_ = 0; }
  /// Appends `count` tokens to the sequence and returns the logits (vocabulary) for the next one,
  /// valid until the next call. Several tokens are multiplied by GEMM, one by matrix-vector. The
  /// sequence must fit the context.
  const float* advance(const int* tokens, std::size_t count);

  const DecoderShape& shape() const { return shape_; }
  const std::vector<DecoderLayer>& layers() const { return layers_; }
  const float* embedding() const { return embedding_; }    // (vocabulary,H)
  const float* final_norm() const { return final_norm_; }  // (H)

 private:
  void fill_weights(std::uint64_t seed);
  /// out (rows,outputs) = in (rows,inputs) W^T + beta out
  void linear(const float* weights, std::size_t outputs, std::size_t inputs, const float* in,
              std::size_t rows, float beta, float* out);
  void attend(const DecoderLayer& layer, std::size_t count);
  void rotate_and_store(const DecoderLayer& layer, std::size_t row);
  void feed_forward(const DecoderLayer& layer, std::size_t count);

  DecoderShape shape_;
  Backend backend_;
  Arena arena_;
  std::vector<DecoderLayer> layers_;
  float *embedding_, *final_norm_;
  float *cosines_, *sines_;         // (context,S/2)
  float *x_, *normed_, *attended_;  // (context,H)
  float* qkv_;                      // (context,H + 2*kv_width)
  float* gate_up_;                  // (context,2I)
  float* activated_;                // (context,I)
  float* scores_;                   // (threads,context)
  float* logits_;                   // (vocabulary)
  std::size_t length_ = 0;
};

}  // namespace perf::workloads
