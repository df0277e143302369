#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

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

/// What one invocation reports of one metric.
struct Observation {
  Metric metric;
  Sample sample;
  bool of_steps = false;
  bool judge = false;  ///< the workload requests a verdict on it
};

/// By workload (the entry's name, or entry/child where its blocks are series of their own) and
/// metric.
using Observations = std::map<std::pair<std::string, std::string>, Observation>;

/// Every metric of an invocation of a workload, as schema/readings.h reads it. With
/// policy.count, instructions are what is counted apart. Points into the invocation.
Observations observations_of(const Invocation& invocation, const WorkloadSamples& samples,
                             const Policy& policy);

struct PairedSample {
  Sample base, head;
};

/// One metric of one workload (or of one of its blocks) over a run.
struct MetricSamples {
  std::string
      workload;   ///< the config's name, or entry/child where invocations have several blocks
  Params params;  ///< as the first block says, else as planned
  std::optional<Params> base_params;  ///< base's, where two settings are compared
  Metric metric;
  bool of_steps = false;
  bool judged = false;
  bool in_first_pair = false;  ///< on both sides of it: counted when m was frozen
  bool unlike = false;         ///< its unit or direction is not the same everywhere
  bool params_differ = false;
  std::vector<PairedSample> pairs;  ///< the good pairs in which both sides have it
  /// Of every invocation that ended well; where both sides run the same program, of the traced
  /// ones, whose times mean nothing.
  std::vector<Sample> base, head;
  std::vector<const Block*> only_traced_base{}, only_traced_head{};  ///< for their checks
};

/// Whether it is a step metric whose raw steps are all still there: none was pruned.
bool has_steps(const MetricSamples& series, const std::vector<Sample>& samples);

/// The values behind one side's statistics: all timed steps where they are there, else one value an
/// invocation.
std::vector<double> values_of(const MetricSamples& series, const std::vector<Sample>& samples);

/// Whether --metric lets a metric through (no filter: every one).
bool is_shown(const Policy& policy, const std::string& metric);

/// The series of a workload, sorted by workload and metric, those that --metric leaves out
/// included. Judged are step_time, peak_rss, what the workload requests on either side of the
/// first good pair, and what a threshold names; with --metric only what that names.
std::vector<MetricSamples> series_of(const WorkloadSamples& samples, const Policy& policy);

}  // namespace perf
