#include <algorithm>
#include <set>
#include <vector>

#include "analyzer/samples/series.h"
#include "analyzer/statistics/centre_and_spread.h"
#include "schema/child_name.h"

namespace perf {
namespace {

const Metric kTokensPerSecond{"tokens_per_second", "1/s", Better::higher};

void observe(Observations& observations, const std::string& workload, Observation seen) {
  const std::string metric = seen.metric.name;
  observations.emplace(std::pair{workload, metric}, std::move(seen));  // the first of a name wins
}

void observe_block(const Block& block, const std::string& name, Observations& observations) {
  const std::vector<double> steps = timed_steps(block);
  const bool is_pruned = block.pruned && block.pruned->timed > 0;
  if (!steps.empty() || is_pruned) {
    const double seconds = is_pruned ? block.pruned->median : median(steps);
    observe(observations, name, {kStepTime, {seconds, &block}, true, false});
    const bool reported = std::any_of(
        block.metrics.begin(), block.metrics.end(),
        [](const MetricValue& value) { return value.metric.name == kTokensPerSecond.name; });
    if (block.tokens_per_step && seconds > 0 && !reported) {
      observe(observations, name,
              {kTokensPerSecond, {*block.tokens_per_step / seconds, &block}, false, false});
    }
  }
  for (const MetricValue& value : block.metrics) {
    observe(observations, name, {value.metric, {value.value, &block}, false, value.judge});
  }
}

}  // namespace

Observations observations_of(const Invocation& invocation, const std::string& entry,
                             bool several_blocks, const Policy& policy) {
  Observations observations;
  // Where they are counted apart, that count is the metric: see analyzer/counted.h.
  if (invocation.process.instructions && !policy.count) {
    const auto instructions = static_cast<double>(*invocation.process.instructions);
    observe(observations, entry, {kInstructions, {instructions, nullptr}, false, false});
  }
  if (invocation.process.peak_rss) {
    observe(observations, entry,
            {kPeakRss, {static_cast<double>(*invocation.process.peak_rss), nullptr}, false, false});
  }
  std::set<std::string> taken;
  for (const Block& block : invocation.blocks) {
    observe_block(block, several_blocks ? child_name(entry, block.workload, taken) : entry,
                  observations);
    if (!several_blocks) {
      break;
    }
  }
  return observations;
}

bool has_several_blocks(const WorkloadSamples& samples) {
  const auto several = [](const Invocation* invocation) { return invocation->blocks.size() > 1; };
  if (!samples.pairs.empty()) {
    return several(samples.pairs.front().base) || several(samples.pairs.front().head);
  }
  return std::any_of(samples.base.begin(), samples.base.end(), several) ||
         std::any_of(samples.head.begin(), samples.head.end(), several);
}

const std::string& entry_name(const PlannedWorkload& planned) {
  return planned.control_of.empty() ? planned.workload.name : planned.control_of;
}

}  // namespace perf
