#pragma once

#include <cstddef>

#include "workloads/kernels/qkv_rows.h"

namespace perf::workloads {

/// How the angles of RoPE are stretched for texts longer than those of training, as Llama 3.1 does
/// (Grattafiori et al., arXiv:2407.21783, and "rope_type": "llama3" in transformers): a pair that
/// turns less than low_frequency times within original_positions turns factor times slower, one
/// that turns more than high_frequency times as ever, in between it changes linearly. Factor 1 is
/// none.
struct RopeScaling {
  double factor = 1, low_frequency = 1, high_frequency = 4, original_positions = 8192;
};

/// cosines, sines (positions,size/2) of position * theta^(-2i/size): RoPE (Su et al.,
/// arXiv:2104.09864), scaled.
void rotary_table(double theta, std::size_t positions, std::size_t size, float* cosines,
                  float* sines, const RopeScaling& scaling = {});

/// Adds bias (width; null: none) to qkv (rows,width), then rotates the queries and keys in place:
/// in each head the pair (i, i + size/2) by its position's angle, as LLaMA-like checkpoints have
/// it.
template <class T>
void bias_and_rotate(const QkvRows& shape, T* qkv, const T* bias, const float* cosines,
                     const float* sines);

/// The way back, in place on the gradient of qkv: rotates the other way. Writes the bias's
/// gradient to grad_bias (width) unless that is null.
template <class T>
void rotate_back(const QkvRows& shape, T* grad_qkv, T* grad_bias, const float* cosines,
                 const float* sines);

}  // namespace perf::workloads
