#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "analyzer/judge/judge_sessions.h"
#include "analyzer/samples/samples.h"
#include "analyzer/statistics/shift.h"
#include "schema/param.h"

namespace perf {

/// One benchmark and metric, of both sides.
struct MetricSessions {
  Metric metric;
  bool judged = false;
  bool unlike = false;                         ///< its unit or direction is not the same everywhere
  std::string base_version{}, head_version{};  ///< the last that a file names; empty: none does
  Params params;
  bool params_differ = false;
  std::optional<TooFewSteps> too_few{};
  std::vector<SessionValue> base, head;
};
/// Benchmark, parameters where benchmarks share a name, metric.
using SessionKey = std::tuple<std::string, Params, std::string>;
using SeriesByKey = std::map<SessionKey, MetricSessions>;

/// What the sessions of both sides hold; where they disagree about a metric, head's definition
/// counts.
SeriesByKey series_by_key(const std::vector<SampleSet>& base, const std::vector<SampleSet>& head,
                          const Policy& policy);

BenchmarkId benchmark_of(const SessionKey& key);

/// Removes what gets no row; without globs nothing. Throws UsageError for a glob that matches no
/// benchmark, nor the entry in the config that a benchmark's name may begin with.
void keep_chosen(const std::vector<std::string>& globs, SeriesByKey& all);

/// What became of a benchmark in the sessions of one side.
struct Outcome {
  int measured = 0, failed = 0, skipped = 0;  ///< sessions
  std::string why{};                          ///< it failed, else was skipped
  bool lost = false;                          ///< its run did not finish
};
using Outcomes = std::map<BenchmarkId, Outcome>;
Outcomes outcomes_of(const std::vector<SampleSet>& sets);

/// Adds what these lack, and the others have, because their run did not finish; call it once all
/// benchmarks are known. A text without its end lacks nothing if the others have none either:
/// somebody chose lines of both (grep Benchmark).
void add_lost(const std::vector<SampleSet>& sets, const std::vector<SampleSet>& others,
              const SeriesByKey& all, Outcomes& outcomes);

/// Adds benchmarks that no session measured.
void add_unmeasured(const Outcomes& outcomes, const Policy& policy, SeriesByKey& all);

/// The rules of docs/verdicts.md#failures: what failed or was skipped at head and was measured at
/// base has failed; what no side measured and none failed at is not judged; what failed in some
/// sessions only is judged from the others, with a warning. Reasons are warnings of judged rows.
void add_outcomes(const Outcome& base, const Outcome& head, Comparison& row);

/// The name of a benchmark among these, with parameters where only they differ.
std::string name_among(const SeriesByKey& all, const SessionKey& key);

/// Bytes and counts.
inline bool is_size(const Metric& metric) {
  return metric.unit == "B" || metric.unit == "1";
}

/// Whether base and head ran other sources of the benchmark.
inline bool is_edited(const MetricSessions& series) {
  return !series.base_version.empty() && !series.head_version.empty() &&
         series.base_version != series.head_version;
}

/// What the benchmarks of two files changed by, those with one session a side, by metric: each is
/// judged against the others (session_control.h).
using ChangesByMetric = std::map<std::string, std::map<SessionKey, double>>;
ChangesByMetric changes_by_metric(const SeriesByKey& all);

/// The changes of the others, a thousand at most.
std::vector<double> others_than(const SessionKey& key, const ChangesByMetric& changes);

/// Whether the sessions are one a side, of files of other tools, and nothing shows that they ran on
/// unlike machines.
bool may_be_controlled(const ComparableSessions& sessions);

/// The shift of a benchmark so held against the others, one of `rows` in the report; nothing where
/// these or its own repetitions are too few, or a value is not positive.
std::optional<Shift> shift_against(const std::vector<double>& others,
                                   const ComparableSessions& sessions, int rows, double alpha);

/// Whether the metric repeats exactly (SampleSeries::exact), and did; or a count or size had one
/// value in all of four repetitions and more of both sides.
bool repeats_exactly(const ComparableSessions& sessions);

}  // namespace perf
