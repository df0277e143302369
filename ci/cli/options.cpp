#include "ci/cli/options.h"

namespace perf {

Policy apply(Policy policy, const Options& options) {
  if (options.threshold) {
    policy.threshold = *options.threshold;
    policy.threshold_override = true;
  }
  if (options.alpha)
    policy.alpha = *options.alpha;
  if (options.budget)
    policy.budget = *options.budget;
  if (options.pairs) {
    policy.min_pairs = options.pairs->first;
    policy.max_pairs = options.pairs->second;
  }
  if (!options.metrics.empty())
    policy.metrics = options.metrics;
  return policy;
}

}  // namespace perf
