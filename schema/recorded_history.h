#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "schema/environment.h"
#include "schema/metric.h"
#include "schema/param.h"

namespace perf {

/// Selects a part of a store's history.
struct HistoryQuery {
  std::vector<std::string> oids;  ///< the commits of the line, oldest first
  std::string size = "ci";
  std::vector<std::string> workloads{};  ///< globs over entries and their series; none: all
  std::vector<std::string> metrics{};    ///< names; none: all
  std::vector<std::string> quantiles{};  ///< of steps, to derive beside them (step_quantile())
  bool tails = false;                    ///< derive RecordedValue::tail
};

/// The quantile of an invocation's steps that shows its tail.
inline const std::string kTailMetric = kStepTime.name + ".p90";

/// A run that measured some of it.
struct RecordedRun {
  std::string id;
  std::string started_at;         ///< UTC, ISO 8601; for people, never for order
  std::uint32_t environment = 0;  ///< index into RecordedHistory::environments; facts are the run's
  std::map<std::string, std::string> facts{};  ///< outside the fingerprint: governor, load, ...
  std::string host{};                          ///< random id; empty: not known
};

/// The value of one metric in one invocation; of step_time the median of its timed steps.
struct RecordedValue {
  std::uint32_t commit = 0;       ///< index into HistoryQuery::oids
  std::uint32_t run = 0;          ///< index into RecordedHistory::runs
  std::uint32_t declaration = 0;  ///< index into RecordedHistory::declarations
  /// Of step_time as measured: kTailMetric of the invocation over its median; 0: it is not known,
  /// or has too few steps.
  float tail = 0;
  double value = 0;  ///< base unit; anchored: head/base of one pair
};

/// One metric of one block of one workload, as measured in one environment, or, in pairs with one
/// commit, in any.
struct RecordedSeries {
  std::string workload;  ///< the config's name
  Params params{};       ///< it was run with
  std::string name{};    ///< that it is shown by: the workload's, or of a block its own
  Metric metric;
  std::string fingerprint;  ///< of the machine; empty: anchored
  std::string anchor{};   ///< full oid of the commit it was paired with; empty: values as measured
  std::string outside{};  ///< as of Workload
  std::vector<RecordedValue> values{};  ///< by commit, then in the order of measuring
  bool judge = false;                   ///< the benchmark requests a verdict on the metric
};

/// The traced program of a workload at a commit, on a machine.
struct ProgramAt {
  std::string oid;
  std::string fingerprint;
  std::string workload;  ///< the config's name
  Params params{};
  std::string outside{};  ///< as of Workload
  std::string program;    ///< id; empty: in doubt, or not always the same
};

/// The measurements along a line of commits, by `compare` and `collect` (nothing planted, counted
/// or relinked, no control arms, no failures).
struct RecordedHistory {
  std::vector<Environment> environments{};  ///< fingerprint and machine facts
  std::vector<RecordedRun> runs{};
  /// Facts that workloads reported: BLAS core, flags, threads, ...
  std::vector<std::map<std::string, std::string>> declarations{};
  std::vector<RecordedSeries> series{};  ///< sorted by workload, params, name, metric, ...
  std::vector<ProgramAt> programs{};     ///< of the series, if requested
  std::int64_t elsewhere = 0;            ///< measured commits that are not on the line
};

/// Some series of a history that is too large for memory, and the programs of their workloads.
struct SomeSeries {
  std::vector<RecordedSeries> series{};
  std::vector<ProgramAt> programs{};
};
/// The next ones in their order; none: that was all.
using MoreSeries = std::function<SomeSeries()>;

/// Whether the query selects the series: by a glob that matches it, or its workload, and by metric.
bool is_wanted(const HistoryQuery& query, const RecordedSeries& series);

/// The order of RecordedHistory::series.
bool comes_before(const RecordedSeries& a, const RecordedSeries& b);

}  // namespace perf
