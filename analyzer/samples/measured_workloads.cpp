#include "analyzer/samples/measured_workloads.h"

#include <map>
#include <set>
#include <string>
#include <utility>

#include "analyzer/samples/samples.h"
#include "schema/text/lists.h"

namespace perf {
namespace {

/// The processes that count, in start order.
std::set<const Invocation*> counting(const WorkloadSamples& samples) {
  std::set<const Invocation*> all;  // they lie in one history, which is in start order
  for (const GoodPair& pair : samples.pairs) {
    all.insert({pair.base, pair.head});
  }
  if (samples.fate == Fate::alone) {
    all.insert(samples.head.begin(), samples.head.end());
  }
  return all;
}

std::vector<Step> without_phases(const Block& block) {
  return mapped(block.steps, [&](const Step& step) {
    return Step{step.index, step.warmup, step.seconds, step.rss, {}};
  });
}

/// The values of one process, by the name of their rows.
std::map<std::string, MeasuredProcess> processes_of(const Invocation& invocation,
                                                    const WorkloadSamples& samples) {
  std::map<std::string, MeasuredProcess> found;
  for (const auto& [key, seen] : observations_of(invocation, samples, Policy{})) {
    MeasuredProcess& process = found[key.first];
    process.side = invocation.side;
    process.pair = invocation.pair;
    process.start_order = invocation.start_order;
    if (seen.of_steps) {
      process.steps = without_phases(*seen.sample.block);
    } else {
      process.values[key.second] = seen.sample.value;
    }
  }
  return found;
}

/// Head's own, where a block of it states some, else as planned.
Params params_of(const WorkloadSamples& samples, const std::string& name) {
  for (const Invocation* invocation : samples.head) {
    for (const auto& [key, seen] : observations_of(*invocation, samples, Policy{})) {
      if (key.first == name && seen.sample.block && !seen.sample.block->params.empty()) {
        return seen.sample.block->params;
      }
    }
  }
  return samples.planned->workload.params;
}

}  // namespace

std::vector<MeasuredWorkload> measured_workloads(const Plan& plan,
                                                 const Measurements& measurements) {
  std::map<std::string, MeasuredWorkload> all;
  for (const PlannedWorkload& planned : plan.workloads) {
    if (!planned.control_of.empty()) {
      continue;
    }
    const WorkloadSamples samples = audit_samples_of(planned, plan, measurements, /*ended=*/true);
    for (const Invocation* invocation : counting(samples)) {
      for (auto& [name, process] : processes_of(*invocation, samples)) {
        MeasuredWorkload& workload = all[name];
        if (workload.processes.empty()) {
          workload.workload = name;
          workload.params = params_of(samples, name);
        }
        workload.processes.push_back(std::move(process));
      }
    }
  }
  std::vector<MeasuredWorkload> measured;
  for (auto& [name, workload] : all) {
    measured.push_back(std::move(workload));
  }
  return measured;
}

}  // namespace perf
