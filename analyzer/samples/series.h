#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/samples/workload_samples.h"
#include "schema/invocation.h"
#include "schema/metric.h"
#include "schema/policy.h"

namespace perf {

struct PairedSample {
  Sample base, head;
};

/// One metric of one workload (or of one of its blocks) over a run.
struct Series {
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
  std::vector<Sample> base, head;   ///< of every invocation that ended well
};

/// Seconds of the timed steps of a block, warm-up left out.
std::vector<double> timed_steps(const Block& block);

/// Whether it is a step metric whose raw steps are all still there: none was pruned.
bool has_steps(const Series& series, const std::vector<Sample>& samples);

/// The values behind one side's statistics: all timed steps where they are there, else one value an
/// invocation.
std::vector<double> values_of(const Series& series, const std::vector<Sample>& samples);

/// Whether --metric lets a metric through (no filter: every one).
bool is_shown(const Policy& policy, const std::string& metric);

/// The series of a workload, sorted by workload and metric, those that --metric leaves out
/// included. Judged are step_time, peak_rss, what the workload asked for on either side of the
/// first good pair, and what a threshold names; with --metric what that names and nothing else.
std::vector<Series> series_of(const WorkloadSamples& samples, const Policy& policy);

}  // namespace perf
