#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "analyzer/samples/serving.h"
#include "analyzer/statistics/centre_and_spread.h"
#include "schema/readings.h"

namespace perf {
namespace {

// Four pairs can agree by chance: the noise between pairs is not believed to be less than this.
constexpr double kPairNoiseFloor = 0.003;
// Nor less than this share of what was seen, after taking off what the steps contribute.
constexpr double kPairVarianceShare = 0.25;
// Steps may take this share of a start's time, however quiet they look: they make a pair dearer by
// so little, and interrupted steps come in clusters, which a median of a few follows.
constexpr double kShareOfStart = 0.25;

struct Costs {
  double start = 0;  ///< s of an invocation outside its timed steps
  double step = 0;   ///< s of one more step (of every block)
};

Costs costs_of(std::span<const GoodPair> pilot) {
  std::vector<double> starts, steps;
  for (const GoodPair& pair : pilot) {
    for (const Invocation* invocation : {pair.base, pair.head}) {
      double timed = 0, step = 0;
      for (const Block& block : invocation->blocks) {
        for (const double one : timed_steps(block)) {
          timed += one;
        }
        timed += block.pruned ? block.pruned->timed * block.pruned->mean : 0;
        step += step_time(block).value_or(0);
      }
      starts.push_back(std::max(invocation->process.wall - timed, 0.0));
      steps.push_back(step);
    }
  }
  return {median(starts), median(steps)};
}

struct StepNoise {
  double deviation = 0;  ///< s_within: of ln(step time) around its invocation's median
  double steps = 0;      ///< mean number of timed steps
};

// By the median absolute deviation: one interrupted step is no reason to take more of them.
StepNoise step_noise(std::span<const PairedSample> pilot) {
  std::vector<double> distances;
  double steps = 0;
  for (const PairedSample& pair : pilot) {
    for (const Sample& sample : {pair.base, pair.head}) {
      for (const double seconds : timed_steps(*sample.block)) {
        if (seconds > 0 && sample.value > 0) {
          distances.push_back(std::abs(std::log(seconds / sample.value)));
        }
        ++steps;
      }
    }
  }
  if (distances.empty()) {
    return {};
  }
  return {kNormalDeviations * median(distances), steps / (2 * static_cast<double>(pilot.size()))};
}

double wanted_steps(const MetricStanding& one, std::size_t pairs, const Costs& costs) {
  const StepNoise noise = step_noise(std::span(one.series.pairs).first(pairs));
  if (noise.steps == 0) {
    return 0;
  }
  const double of_one_step = 2 * kMedianError * kMedianError * noise.deviation * noise.deviation;
  const auto pilot = std::span(one.differences).first(pairs);
  const double seen = squares_about(pilot, mean(pilot)) / static_cast<double>(pairs - 1);
  const double between = std::max({seen - of_one_step / noise.steps, kPairVarianceShare * seen,
                                   kPairNoiseFloor * kPairNoiseFloor});
  return std::sqrt(costs.start / costs.step * of_one_step / between);
}

int steps_by_noise(const WorkloadStanding& workload, const Policy& policy) {
  const auto pilot = static_cast<std::size_t>(std::max(policy.pilot_pairs, 2));
  const std::vector<GoodPair>& pairs = workload.samples.pairs;
  if (pairs.size() < pilot) {
    return policy.initial_steps;
  }
  const Costs costs = costs_of(std::span(pairs).first(pilot));
  if (costs.step <= 0) {
    return policy.initial_steps;
  }
  double steps = 0;
  for (const MetricStanding& one : workload.series) {
    if (one.series.of_steps && one.under_test && one.differences.size() >= pilot) {
      steps = std::max(steps, wanted_steps(one, pilot, costs));
    }
  }
  const double affordable = std::floor((policy.invocation_cap - costs.start) / costs.step);
  const double cheap = std::floor(kShareOfStart * costs.start / costs.step);
  steps = std::max(std::min(std::round(steps), affordable), cheap);
  return static_cast<int>(
      std::clamp(steps, static_cast<double>(policy.min_steps),
                 static_cast<double>(std::max(policy.max_steps, policy.min_steps))));
}

}  // namespace

int steps_per_invocation(const WorkloadStanding& workload, const Policy& policy) {
  const PlannedWorkload& planned = *workload.samples.planned;
  if (planned.workload.format == kProcessFormat) {
    return 1;
  }
  return planned.workload.format != kStepsFormat
             ? policy.initial_steps
             : std::max(steps_by_noise(workload, policy),
                        steps_for_quantiles(policy, entry_name(planned)));
}

}  // namespace perf
