#pragma once

#include "workloads/kernels/qkv_rows.h"

namespace perf::workloads {

/// What the results of attention must satisfy; shapes as kernels/attention.h has them.

/// The largest error of some rows, spread evenly from the first to the last, over all heads,
/// relative to their largest value: against plain loops in double precision.
double attention_error(const QkvRows& shape, bool causal, const float* qkv, const float* out);

/// A result is an average of the values that its row sees: how far it lies outside them, at worst,
/// relative to the largest value of all. All rows; NaN where one is NaN.
double outside_of_values(const QkvRows& shape, bool causal, const float* qkv, const float* out);

/// Of both, and of the difference between the variants: scores of some 20 in single precision are
/// right to 1e-6, and so is e to their power.
inline constexpr double kAttentionTolerance = 1e-5;

}  // namespace perf::workloads
