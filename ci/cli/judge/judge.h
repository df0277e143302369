#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/judge/judge_sides.h"
#include "ci/cli/options/options.h"
#include "ci/cli/run/context.h"
#include "ci/cli/run/progress.h"
#include "schema/environment.h"
#include "schema/invocation.h"
#include "schema/measured.h"
#include "schema/plan.h"
#include "schema/policy.h"
#include "schema/revision.h"
#include "schema/sample_set.h"

namespace perf {

/// The text of a file, or of standard input for `-`. Throws UsageError if it cannot be opened or
/// exceeds 64 MiB, Error if the disk fails.
std::string read_input(const std::string& file);

/// Whether `read_sessions` reads it: a file, a folder, FOLDER@NAME of a folder, or `-`.
bool names_sessions(const std::string& path);

/// The sessions of a file or folder, at least one; `source` of each is its file. `format` is one of
/// foreign_formats(); where it is empty, each file is one session of any known format. A folder
/// target/criterion is one session: of the latest samples, or of the baseline NAME of FOLDER@NAME.
/// Of another folder each file of a known format is a session, in the order of their names, or each
/// whose name begins with NAME; what was passed over is a warning of the first. Throws UsageError
/// for unreadable files and for a folder without a session.
std::vector<ImportedSession> read_sessions(const std::string& path, std::string_view format = {});

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
/// A benchmark that failed is an invocation that did, unless an entry is given. The plan's warnings
/// have what was left out.
ImportedRun imported_run(const ImportedSession& session, const ImportAs& as);

/// A side that is files: their sessions, each once, with warnings about those given twice.
/// `beside_stored`: benchmarks get the names that `import` gives them.
std::vector<SampleSet> side_of_files(const std::vector<std::string>& paths, bool beside_stored,
                                     const Options& options, ProgressView& view,
                                     std::vector<Warning>& warnings);

/// Leaves one of the sessions of a side that have the same values, in any unit and order, or are of
/// one file: of copies the one that has all values. Sessions with so few digits that they may be
/// equal by chance are told apart by their time. Within a file, too, equal runs count once.
void leave_out_repeated(std::vector<SampleSet>& sessions, std::vector<Warning>& warnings);

/// Warns of sessions that are on both sides: a file given twice.
void warn_of_common_sessions(const JudgedSides& sides, std::vector<Warning>& warnings);

/// Fills in one side from the store, by options.base or options.head, at the size of the other; or
/// both: of each workload the run that paired the two, else the sessions of both. With --history
/// also those of the commits before base. Throws Error where nothing of a single side is stored.
PlannedRun fill_from_store(const Context& context, bool at_base, bool at_head, JudgedSides& sides);

/// What runs of pairs measured; samples of different sessions are no pairs, and have no pictures.
std::vector<MeasuredWorkload> measured_behind(const std::vector<PairedWorkload>& pairs);

}  // namespace perf
