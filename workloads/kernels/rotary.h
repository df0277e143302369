#pragma once

#include <cstddef>

#include "workloads/kernels/qkv_rows.h"

namespace perf::workloads {

/// cosines, sines (positions,size/2) of position * theta^(-2i/size): RoPE (Su et al.,
/// arXiv:2104.09864).
void rotary_table(double theta, std::size_t positions, std::size_t size, float* cosines,
                  float* sines);

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
