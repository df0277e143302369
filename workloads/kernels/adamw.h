#pragma once

#include <cstddef>

namespace perf::workloads {

/// AdamW (Loshchilov and Hutter, arXiv:1711.05101, algorithm 2, with decoupled weight decay):
///     m = b1 m + (1-b1) g;   v = b2 v + (1-b2) g^2
///     p -= lr ( m/(1-b1^t) / (sqrt(v/(1-b2^t)) + epsilon) + decay p )
struct AdamW {
  double learning_rate = 1e-3, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8, weight_decay = 0.01;
};

/// One step over `count` parameters with their gradients and moments; `step` counts from 1. One
/// pass: 16 bytes read and 12 written a parameter, and no other traffic.
void adamw(const AdamW& options, int step, std::size_t count, float* parameters,
           const float* gradients, float* mean, float* variance);
void adamw_reference(const AdamW& options, int step, std::size_t count, float* parameters,
                     const float* gradients, float* mean, float* variance);

}  // namespace perf::workloads
