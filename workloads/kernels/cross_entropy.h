#pragma once

#include <cstddef>

namespace perf::workloads {

/// The sum over `rows` of -log softmax(logits)[target], in nats. Replaces logits (rows,vocabulary)
/// by `scale` times the gradient of that sum: softmax(logits) less 1 at the target. Targets
/// lie in [0, vocabulary). NaN among the logits gives NaN; -infinity (masked) counts as nothing.
/// Computed in single precision, losses added in double; logits of any size are safe.
template <class T>
double cross_entropy(T* logits, const int* targets, std::size_t rows, std::size_t vocabulary,
                     float scale);

}  // namespace perf::workloads
