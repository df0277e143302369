#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "schema/environment.h"
#include "schema/invocation.h"
#include "schema/metric.h"
#include "schema/param.h"
#include "schema/report.h"

namespace perf {

/// One metric of one benchmark, as one file has it.
struct SampleSeries {
  std::string name;            ///< of the benchmark, as the file writes it
  Params params{};             ///< what tells benchmarks of one name apart: the package of a Go one
  Metric metric;               ///< time per iteration is always step_time
  bool judge = false;          ///< worth a verdict: it repeats no other metric, and has a direction
  std::vector<double> values;  ///< base units, in the order of the file; empty: see `summary`
  std::optional<SideStats> summary{};  ///< where the file holds statistics in place of values
  bool exact = false;  ///< a count that repeats exactly, as allocations do or the file says
};

/// What one file that measured elsewhere holds: one session, however often it repeats a benchmark.
/// The common record of every foreign format.
struct SampleSet {
  std::string source;  ///< for people: the file, or the run of a store
  /// Measured by this program: the name alone tells benchmarks apart, and parameters are facts of
  /// them, of which each metric may state its own.
  bool of_workloads = false;
  /// Facts that the file tells of its machine. The fingerprint is empty where they do not tell one
  /// machine from another.
  Environment environment;
  std::string host{};         ///< random id of the machine itself; empty: not known
  std::string measured_at{};  ///< UTC, ISO 8601; empty: not known
  int commits_before = 0;     ///< the revision it stands for, whose history it is of; 0: its own
  std::vector<SampleSeries> series;             ///< in the order of first appearance
  std::map<std::string, std::string> failures;  ///< benchmark -> why it has no values
  std::map<std::string, std::string> skipped{};  ///< the same of what a warning says was skipped
  std::vector<Warning> warnings;                ///< what of the file was passed over
};

/// One session that a file of somebody else's holds, and the commit that the file says it measured.
struct ImportedSession {
  std::string commit;       ///< full or abbreviated oid as the file has it; empty: it does not say
  std::string measured_at;  ///< UTC, ISO 8601 ("2026-01-31T12:00:00Z"); empty: it does not say
  SampleSet samples;  ///< with the facts it tells of its machine; see Environment::fingerprint
  /// What the protocol said, whole: phases, checks and warm-up, which samples do not hold. Other
  /// formats have none.
  std::vector<Block> blocks{};
};

}  // namespace perf
