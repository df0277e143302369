#include "ci/cli/options/options.h"

namespace perf {

namespace {

/// A step of the full size takes seconds, and says about itself what eight short ones would.
Policy of_size(Policy policy, const std::string& size) {
  if (size == "full") {
    policy.warmup_steps = 1;
    policy.initial_steps = policy.min_steps = policy.max_steps = 3;
  }
  return policy;
}

}  // namespace

Policy apply(Policy policy, const Options& options) {
  policy = of_size(policy, options.size);
  if (options.threshold) {
    policy.threshold = *options.threshold;
    policy.threshold_override = true;
  }
  if (options.alpha) {
    policy.alpha = *options.alpha;
  }
  if (options.budget) {
    policy.budget = *options.budget;
  }
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
