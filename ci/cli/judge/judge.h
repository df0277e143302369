#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ci/cli/options/options.h"
#include "collector/process/spawner.h"
#include "schema/environment.h"
#include "schema/invocation.h"
#include "schema/plan.h"
#include "schema/policy.h"
#include "schema/revision.h"
#include "schema/sample_set.h"
#include "schema/store/store.h"
#include "schema/workload.h"

namespace perf {

/// The text of a file, or of standard input for `-`. Throws UsageError if it cannot be opened or
/// exceeds 64 MiB, Error if the disk fails.
std::string read_input(const std::string& file);

/// The first 4 KiB of a file; empty where it cannot be opened. Throws Error where the disk fails.
std::string read_beginning(const std::string& file);

/// Whether `read_sessions_of` reads it: a file, a folder, FOLDER@NAME of a folder, or `-`.
bool names_sessions(const std::string& path);

/// The sessions of a file or folder of any known format, at least one; `source` of each is its
/// file. A folder target/criterion is one session: of the latest samples, or of the baseline NAME
/// of FOLDER@NAME. Of another folder each file of a known format is a session, in the order of
/// their names, or each whose name begins with NAME; what was passed over is a warning of the
/// first. Throws UsageError for unreadable files and for a folder without a session.
std::vector<SampleSet> read_sessions_of(const std::string& path);

/// The same in one foreign format, with the commit of each.
std::vector<ImportedSession> read_sessions(const std::string& format, const std::string& path);

/// How to store a session of another tool.
struct ImportAs {
  std::string format;
  /// The workload whose children its benchmarks become; empty: each becomes a workload.
  std::string entry;
  std::string size = "ci";
  Revision revision;
  Environment environment;
};

/// Such a session as a run.
struct ImportedRun {
  Plan plan;
  std::vector<Invocation> invocations;
  std::size_t benchmarks = 0;
  /// Of the values and how they are stored, 128 bits in hexadecimal; also the run's id, so that the
  /// same session is the same run in every store. It does not resist forged collisions, which only
  /// leave a session out.
  std::string digest;
};

/// One invocation of the entry with all benchmarks, or one of each benchmark, in the order of the
/// session; at head, unpaired; its wall time the sum of its steps, because nothing else is known.
/// The plan's warnings have what was left out.
ImportedRun imported_run(const ImportedSession& session, const ImportAs& as);

/// `perf-compare BASE HEAD --stored`: judges stored measurements of the two revisions; with
/// `--history` also those of the commits before base, unless a run paired the two. Returns the exit
/// code.
int stored_command(const Options& options, Spawner& spawner);

/// `perf-compare BASE HEAD` where one of the names, or both, is a report file that `--json` wrote,
/// and no pin, baseline or revision has the name. Returns the exit code; nothing where neither is
/// one. Two files need no repository; of a revision on the other side the newest stored session is
/// taken, and nothing is measured. Throws UsageError for a file that is no report.
std::optional<int> compare_report_files(const Options& options, Spawner& spawner);

/// Of each workload the newest stored sessions at a revision, at most `limit`, in the order of
/// time. Each run is loaded once.
std::vector<std::vector<SampleSet>> stored_sessions(const Store& store,
                                                    const std::vector<const Workload*>& workloads,
                                                    const std::string& oid, const std::string& size,
                                                    const Policy& policy, std::int64_t limit);

}  // namespace perf
