#pragma once

#include <string>

#include "workloads/kernels/dtype.h"
#include "workloads/kernels/gemm.h"
#include "workloads/step_emitter.h"

namespace perf::workloads {

/// Gives OpenMP, OpenBLAS and Eigen the same `threads` (0: as many as this process may use).
/// Returns the number. All of them share one OpenMP pool: two pools that spin against each other
/// cost more than twice the time.
int use_threads(int threads);
/// The cores that this process may use.
int usable_cores();

/// "OpenBLAS 0.3.21".
std::string blas_name();

/// The kernels OpenBLAS selected, e.g. "SkylakeX".
std::string blas_core();

/// Records oneDNN's version where it takes part (as the backend, or as the yardstick of 16 bits),
/// and for 16 bits whether the values are multiplied as they are or widened to fp32 first.
void describe_products(Backend backend, DType dtype, perf_compare::StepEmitter& out);

/// Records BLAS, its core, threads, compiler, flags and instruction set on the environment line.
void describe_environment(int threads, perf_compare::StepEmitter& out);

}  // namespace perf::workloads
