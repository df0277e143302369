#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "schema/environment.h"
#include "schema/invocation.h"
#include "schema/metric.h"
#include "schema/param.h"
#include "schema/report.h"

namespace perf {

/// A benchmark of a file: its name as the file writes it, and what distinguishes benchmarks of one
/// name, such as the package of a Go one.
struct BenchmarkId {
  std::string name;
  Params params{};

  auto operator<=>(const BenchmarkId&) const = default;
};

/// One metric of one benchmark in one file.
struct SampleSeries {
  std::string name;            ///< of the benchmark, as the file writes it
  Params params{};             ///< distinguish benchmarks of one name: the package of a Go one
  Metric metric;               ///< time per iteration is always step_time
  bool judge = false;          ///< worth a verdict: it repeats no other metric, and has a direction
  std::vector<double> values;  ///< base units, in the order of the file; empty: see `summary`
  std::optional<SideStats> summary{};  ///< of more samples than the file holds
  std::string version{};               ///< of the benchmark's own source: another one is other work
  bool exact = false;  ///< a count that repeats exactly, as allocations do or the file says
  /// Of a quantile of steps: the fewest of a process and what it needs, where they are too few.
  std::size_t steps = 0, steps_needed = 0;
};

/// The checks of each process or block that ran a benchmark, in order.
using ChecksOfRuns = std::vector<std::vector<Check>>;

/// Benchmarks that a file lacks because their run did not finish.
struct LostBenchmarks {
  Params params;  ///< those that have these; empty: all
  std::string why;
  std::string within{};  ///< and whose names begin so
};

/// The benchmark results of one file: one session, however often it repeats a benchmark. The common
/// record of all foreign formats.
struct SampleSet {
  std::string source;  ///< for people: the file, or the run of a store
  /// Measured by perf-compare: names alone distinguish benchmarks, and each metric may have
  /// parameters of its own.
  bool of_workloads = false;
  /// The machine's facts in the file. The fingerprint is empty where they do not identify a
  /// machine.
  Environment environment;
  std::string size{};                ///< smoke, ci or full; empty: not known
  std::string host{};                ///< random id of the machine itself; empty: not known
  std::string measured_at{};         ///< UTC, ISO 8601; empty: not known
  int commits_before = 0;            ///< the revision that it stands for; 0: its own
  std::vector<SampleSeries> series;  ///< in the order of first appearance
  std::map<BenchmarkId, std::string> failures;   ///< why a benchmark has no values
  std::map<BenchmarkId, std::string> skipped{};  ///< the same for skipped ones
  std::map<BenchmarkId, ChecksOfRuns> checks{};  ///< of benchmarks that have values
  std::vector<LostBenchmarks> lost{};            ///< what the other side has of them failed here
  std::vector<Warning> warnings;                 ///< about what was left out
};

/// All benchmarks that a session names, measured or not.
inline std::set<BenchmarkId> benchmarks_of(const SampleSet& set) {
  std::set<BenchmarkId> all;
  for (const SampleSeries& series : set.series) {
    all.insert({series.name, series.params});
  }
  for (const auto* reasons : {&set.failures, &set.skipped}) {
    for (const auto& [benchmark, why] : *reasons) {
      all.insert(benchmark);
    }
  }
  return all;
}

/// Gives each benchmark of a session the identity that `renamed` makes of its own.
template <class Renamed>
void rename_benchmarks(SampleSet& set, const Renamed& renamed) {
  for (SampleSeries& series : set.series) {
    BenchmarkId id = renamed(BenchmarkId{series.name, series.params});
    series.name = std::move(id.name);
    series.params = std::move(id.params);
  }
  const auto rename_keys = [&renamed](auto& by_benchmark) {
    for (auto& [benchmark, value] : std::exchange(by_benchmark, {})) {
      by_benchmark.emplace(renamed(benchmark), std::move(value));
    }
  };
  rename_keys(set.failures);
  rename_keys(set.skipped);
  rename_keys(set.checks);
}

/// One session in a foreign file, and its commit.
struct ImportedSession {
  std::string commit;       ///< full or abbreviated oid; empty: unknown
  std::string measured_at;  ///< UTC, ISO 8601 ("2026-01-31T12:00:00Z"); empty: unknown
  SampleSet samples;        ///< with the machine's facts; see Environment::fingerprint
  /// The blocks of the protocol with phases, checks and warm-up, which samples do not hold. Empty
  /// for other formats.
  std::vector<Block> blocks{};
};

}  // namespace perf
