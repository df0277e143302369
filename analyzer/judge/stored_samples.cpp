#include "analyzer/judge/stored_samples.h"

#include <algorithm>
#include <utility>

#include "analyzer/samples/series.h"
#include "analyzer/samples/workload_samples.h"

namespace perf {
namespace {

const PlannedWorkload* find_planned(const Plan& plan, const std::string& name) {
  const auto found =
      std::find_if(plan.workloads.begin(), plan.workloads.end(),
                   [&name](const PlannedWorkload& one) { return one.workload.name == name; });
  return found == plan.workloads.end() || !found->control_of.empty() ? nullptr : &*found;
}

bool counts(const Invocation& invocation, const PlannedWorkload& planned, const Workload& workload,
            const std::string& oid) {
  return invocation.workload == workload.name && invocation.oid == oid && invocation.ok() &&
         invocation.is_timed() && workload_at(planned, invocation.side).params == workload.params;
}

}  // namespace

SampleSet stored_samples(const Plan& plan, const History& history, const Workload& workload,
                         const std::string& oid, const Policy& policy) {
  SampleSet set;
  set.source = plan.run_id;
  set.of_workloads = true;
  set.environment = plan.environment;
  const PlannedWorkload* planned = find_planned(plan, workload.name);
  if (!planned) {
    return set;
  }
  PlannedWorkload as_wanted;  // in a run of two settings, one side alone had its parameters
  as_wanted.workload = workload;
  WorkloadSamples samples;
  samples.planned = &as_wanted;
  for (const Invocation& invocation : history.invocations) {
    if (counts(invocation, *planned, workload, oid)) {
      samples.head.push_back(&invocation);
    }
  }
  for (const Series& series : series_of(samples, policy)) {
    SampleSeries one;
    one.name = series.workload;
    one.params = series.params;
    one.metric = series.metric;
    one.judge = series.judged;
    for (const Sample& sample : series.head) {
      one.values.push_back(sample.value);
    }
    set.series.push_back(std::move(one));
  }
  return set;
}

}  // namespace perf
