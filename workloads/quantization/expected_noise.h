#pragma once

#include "workloads/kernels/quantize.h"
#include "workloads/quantization/tensor_source.h"

namespace perf::workloads {

/// What theory gives for the nearly normal weights of SyntheticTensors, each the sum of four
/// uniforms. Of n values that share a scale, the one of largest magnitude m has the distribution
/// function F(m)^n, where F is that of one magnitude; it becomes a level exactly, and the n - 1
/// others, which are distributed as all are but below m, are as far from theirs as
///     E (x - level(x / scale) scale)^2
/// Both integrals are taken numerically; that groups' scales are rounded is left out. In dB; of all
/// matrices together.
double expected_signal_to_noise(const TensorSource& source, const Scheme& scheme);

/// How far a model may be from it, in dB: 0.25 (the scales' rounding, values that a file has
/// rounded), and five standard deviations of a mean over as many groups as there are, each of whose
/// noise deviates from the mean by less than itself: 10 log10 of 1 + 5 / sqrt(groups).
double expected_signal_to_noise_band(const TensorSource& source, const Scheme& scheme);

}  // namespace perf::workloads
