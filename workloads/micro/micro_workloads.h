#pragma once

#include "workloads/program/workload.h"

namespace perf::workloads {

/// Single operations, for whoever looks for what a larger workload lost. Each is in the .cpp of its
/// name.

// The machine's own limits.
Workload micro_gemm_peak();
Workload micro_memory_read();
Workload micro_memory_triad();

// 1024 x 1024.
Workload micro_matmul();
Workload micro_softmax();
Workload micro_layer_norm();
Workload micro_rms_norm();
Workload micro_attention();

// Parts of a Qwen2.5 layer, one sequence of 512 tokens, forward and backward.
Workload micro_embedding();
Workload micro_rope();
Workload micro_attention_layer();
Workload micro_mlp_layer();
Workload micro_full_layer();

}  // namespace perf::workloads
