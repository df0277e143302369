#pragma once

#include <cstddef>

#include "workloads/kernels/attention_tiles.h"

namespace perf::workloads {

/// What each thread gathers in: `floats` values from the one before to the next.
struct ThreadTiles {
  float* memory = nullptr;
  std::size_t floats = 0;
  int threads = 1;
};

/// Attention over whole sequences, tile by tile (FlashAttention: Dao et al., arXiv:2205.14135,
/// algorithm 1): what CausalAttention and TiledAttention compute forward. qkv (rows,width) -> out
/// (rows,query_width), and where log_sums is not null the logarithm of each row's sum of e^score,
/// (heads,rows). Each thread needs the floats of ForwardTiles. A head of a sequence is one thread's
/// task: the result does not depend on the number of threads.
template <class T>
void attend_sequences(const AttentionGrid& grid, bool causal, const T* qkv, T* out, float* log_sums,
                      const ThreadTiles& workspace);

}  // namespace perf::workloads
