#pragma once

#include <cstddef>

namespace perf::workloads {

/// softmax(logits)[token]: e^logit / sum of all e^logit, in single precision with the sum in
/// double. On all threads; the result does not depend on their number. 0 where it is below e^-88,
/// or where the logits make no distribution.
float token_probability(const float* logits, std::size_t count, std::size_t token);

}  // namespace perf::workloads
