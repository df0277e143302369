#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "analyzer/judge/judge_sessions.h"
#include "schema/param.h"

namespace perf {

/// One benchmark and metric, of both sides.
struct MetricSessions {
  Metric metric;
  bool judged = false;
  bool unlike = false;  ///< its unit or direction is not the same everywhere
  Params params;
  bool params_differ = false;
  std::vector<SessionValue> base, head;
};
/// Benchmark, parameters where they tell benchmarks of one name apart, metric.
using SessionKey = std::tuple<std::string, Params, std::string>;
using SeriesByKey = std::map<SessionKey, MetricSessions>;

/// What the sessions of both sides hold; where they disagree about a metric, it is as head says.
SeriesByKey series_by_key(const std::vector<SampleSet>& base, const std::vector<SampleSet>& head,
                          const Policy& policy);

/// Adds what failed in head's sessions and was measured in none of them; `failures`: benchmark ->
/// why.
void add_failures(const std::vector<SampleSet>& head, const Policy& policy, SeriesByKey& all,
                  std::map<std::string, std::string>& failures);

/// What a benchmark is called beside these: of those that parameters alone tell apart, with them.
std::string name_among(const SeriesByKey& all, const SessionKey& key);

}  // namespace perf
