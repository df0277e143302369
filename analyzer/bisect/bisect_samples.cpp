#include <cassert>

#include "analyzer/bisect/bisect.h"
#include "analyzer/samples/named_metrics.h"
#include "analyzer/samples/standing.h"
#include "analyzer/samples/steps_per_invocation.h"
#include "schema/error.h"

namespace perf {
namespace {

const SeriesStanding* series_under_test(const WorkloadStanding& workload) {
  const SeriesStanding* found = nullptr;
  for (const SeriesStanding& one : workload.series) {
    if (!one.under_test) {
      continue;
    }
    if (found != nullptr) {
      throw UsageError(
          "the workload has several series of this metric",
          one.series.metric.name + " of " + found->series.workload + " and " + one.series.workload,
          "bisect a workload whose command yields one of them");
    }
    found = &one;
  }
  return found;
}

}  // namespace

BisectSamples bisect_samples(const Plan& plan, const History& history, const Policy& policy) {
  assert(plan.workloads.size() == 1 && policy.metrics.size() == 1);
  const Standing standing = standing_of(plan, history, policy);
  require_named_metrics(standing, policy);
  const WorkloadStanding& workload = standing.workloads.front();
  BisectSamples samples;
  samples.steps = steps_per_invocation(workload, policy);
  if (workload.samples.fate == Fate::alone) {
    samples.base_failed = workload.samples.reason;
  } else if (workload.samples.fate == Fate::failed) {
    samples.head_failed = workload.samples.reason;
  } else if (workload.samples.given_up) {
    samples.head_failed = "its runs fail now and then";
  }
  if (const SeriesStanding* one = series_under_test(workload)) {
    samples.metric = one->series.metric;
    if (one->incomparable) {
      samples.head_failed = "its " + one->series.metric.name + " has no ratio to GOOD's";
    }
    for (const double difference : one->differences) {
      samples.differences.push_back(one->series.metric.better == Better::lower ? difference
                                                                               : -difference);
    }
  } else if (!workload.samples.pairs.empty()) {
    samples.head_failed = "it lacks " + policy.metrics.front();
  }
  return samples;
}

}  // namespace perf
