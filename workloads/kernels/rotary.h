#pragma once

#include <cstddef>

namespace perf::workloads {

/// cosines, sines (positions,size/2) of position * theta^(-2i/size): RoPE (Su et al.,
/// arXiv:2104.09864).
void rotary_table(double theta, std::size_t positions, std::size_t size, float* cosines,
                  float* sines);

/// Where queries and keys lie in rows of q, k and v side by side.
struct QkvRows {
  std::size_t sequences = 1,
              length = 1;  ///< rows = sequences * length; a row's position is row % length
  std::size_t heads = 1, kv_heads = 1, size = 64;

  std::size_t rows() const { return sequences * length; }
  std::size_t query_width() const { return heads * size; }
  std::size_t kv_width() const { return kv_heads * size; }
  std::size_t width() const { return query_width() + 2 * kv_width(); }
};

/// Adds bias (width) to qkv (rows,width), then rotates the queries and keys in place: in each head
/// the pair (i, i + size/2) by its position's angle, as LLaMA-like checkpoints have it.
template <class T>
void bias_and_rotate(const QkvRows& shape, T* qkv, const T* bias, const float* cosines,
                     const float* sines);

/// The way back, in place on the gradient of qkv: rotates the other way. Writes the bias's
/// gradient to grad_bias (width) unless that is null.
template <class T>
void rotate_back(const QkvRows& shape, T* grad_qkv, T* grad_bias, const float* cosines,
                 const float* sines);

}  // namespace perf::workloads
