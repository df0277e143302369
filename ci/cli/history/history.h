#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analyzer/collect/collection.h"
#include "ci/cli/options/options.h"
#include "ci/cli/run/visit.h"
#include "collector/git/baseline.h"
#include "collector/git/repository.h"
#include "collector/plan/config_source.h"
#include "collector/process/spawner.h"
#include "schema/collection.h"
#include "schema/config.h"
#include "schema/revision.h"
#include "schema/store/store.h"
#include "schema/trend.h"

namespace perf {

/// A run of the workloads that lack measurements at a commit.
struct CollectRun : Visit {
  std::vector<int> wanted{};          ///< by workload of the run
  std::vector<std::size_t> places{};  ///< of these in the whole list
};

/// The state of a collection.
struct CollectWork {
  Context& context;
  PlannedRun end;  ///< at the last commit: the model of every run
  VisitTracer tracer;
  std::optional<Revision> anchor{};      ///< base of every run
  Policy policy{};                       ///< its budget is that of the whole command
  std::vector<Revision> line{};          ///< requested commits, oldest first
  std::vector<CollectVisit> visits{};    ///< those to measure, in this order
  std::set<std::size_t> anchor_lacks{};  ///< workloads that the anchor does not run
  std::set<std::string> told{};          ///< warnings of skipped benchmarks, each printed once
  /// Stored measurements without the anchor, by commit and workload.
  std::vector<std::vector<CollectedBefore>> alone_before{};
  /// --programs --missing: programs in the store, by commit and workload.
  std::vector<std::vector<std::string>> programs_before{};
  std::map<std::size_t, CollectRun> begun{};  ///< by visit: traced, to be measured later
  Collection collection{};

  /// Prints "commit 3 of 41 (3f2a9c01d2e4 Compute more waves)".
  void tell_commit(std::size_t visit, ProgressView& progress, const char* what = "commit ") const;
  double budget_left() const;  ///< s
  bool stopped() const;        ///< by its budget or a signal
};

/// Reads the options, and earlier measurements from the store. Throws UsageError for an invalid
/// revision, range or anchor, and for --every of one revision.
CollectWork begin_collect(Context& context, ProgressView& progress);

/// The run of a visit, begun already or new; nothing if no workload of it is wanted any more, which
/// marks the commit as skipped. `processes` shows the progress of its measurement.
std::optional<CollectRun> run_of(CollectWork& work, std::size_t visit, ProgressView& processes);

/// Visits the commit of a run, and keeps the result. Without `measures`, it is built and traced,
/// and kept if it does not build.
void visit_commit(CollectWork& work, CollectRun& chosen, std::size_t commit, bool measures,
                  ProgressView& progress);

/// For --programs: traces all commits, and leaves of the visits what measures each program once.
void trace_line(CollectWork& work, ProgressView& progress, ProgressView& processes);

/// The repository, store and config of a trend.
struct TrendPlace {
  Repository repository;
  std::filesystem::path store_file;
  Config config;               ///< empty where there is none
  Outside outside;             ///< of the config
  std::optional<Store> store;  ///< nothing if it does not exist yet
  NameSources sources;
};

/// Opens them for reading. Throws Error if --db names a missing file.
TrendPlace open_place(const Options& options, Spawner& spawner);

/// Pins, and baselines of the config that resolve and that no pin shadows.
std::vector<Baseline> baselines_of(const TrendPlace& place);

/// The workloads that can be compared, with what they bring from outside: those of the config,
/// where there is none of head's own; nullopt where that one cannot be read.
std::optional<std::map<std::string, std::string>> entries_of(const TrendPlace& place,
                                                             const Revision& head,
                                                             const std::string& size);

/// The position on a line (oldest first) of the first commit that `--since WHEN` is about: of a day
/// (2026-01-31, UTC) the first commit of that day or later, of a duration (30d) the first that is
/// no older at `now` (seconds since the epoch), by committer times, and of a revision the commit
/// after it, or after the point where its branch leaves the line. The line's length where there is
/// none. Throws UsageError for anything else.
std::uint32_t position_since(const std::string& when, std::int64_t now,
                             const Repository& repository, const NameSources& sources,
                             const std::vector<Revision>& line);

/// `trend --confirm`: compares to confirm new alerts, machine events and suspects, the most urgent
/// first, by the ordinary rule, within the policy's budget. Each comparison is a run in the store.
/// Their results go into the report, failures as warnings. Throws UsageError if nothing can be
/// measured here.
void confirm(const Options& options, Spawner& spawner, double budget, TrendReport& report);

}  // namespace perf
