#pragma once

#include <map>
#include <string>
#include <utility>

#include "analyzer/samples/workload_samples.h"
#include "schema/invocation.h"
#include "schema/metric.h"
#include "schema/policy.h"

namespace perf {

/// The value of one metric in one invocation; for step metrics the median of its timed steps.
struct Sample {
  double value = 0;
  const Block* block = nullptr;  ///< the block it is of; null for what the whole process used
};

/// What one invocation says of one metric.
struct Observation {
  Metric metric;
  Sample sample;
  bool of_steps = false;
  bool judge = false;  ///< the workload asks for a verdict on it
};

/// By workload (the entry's name, or entry/child where invocations have several blocks) and metric.
using Observations = std::map<std::pair<std::string, std::string>, Observation>;

/// Whether a workload's invocations have several blocks, and its rows so the names of children.
/// The first pair settles it, like m: later invocations may not rename what is judged.
bool has_several_blocks(const WorkloadSamples& samples);

/// The name that a workload's rows bear: of a control arm, that of what it stands beside.
const std::string& entry_name(const PlannedWorkload& planned);

/// Everything that an invocation says: step_time is the median of the timed steps, peak_rss what
/// the kernel said of the process (with several blocks it belongs to the entry), tokens_per_second
/// follows from tokens_per_step; all others are as reported. What is measured here beats a reported
/// metric of the same name. Points into the invocation.
Observations observations_of(const Invocation& invocation, const std::string& entry,
                             bool several_blocks, const Policy& policy);

}  // namespace perf
