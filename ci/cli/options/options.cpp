#include "ci/cli/options/options.h"

namespace perf {

Policy apply(Policy policy, const Options& options) {
  // A step of the full size takes seconds, and says about itself what eight short ones would.
  if (options.size == "full") {
    policy.warmup_steps = 1;
    policy.initial_steps = policy.min_steps = policy.max_steps = 3;
  }
  if (options.threshold) {
    policy.threshold = *options.threshold;
    policy.threshold_override = true;
  }
  policy.alpha = options.alpha.value_or(policy.alpha);
  policy.budget = options.budget.value_or(policy.budget);
  if (options.pairs) {
    policy.min_pairs = options.pairs->first;
    policy.max_pairs = options.pairs->second;
  }
  policy.control = options.control;
  policy.count = options.count;
  if (!options.metrics.empty()) {
    policy.metrics = options.metrics;
  }
  return policy;
}

}  // namespace perf
