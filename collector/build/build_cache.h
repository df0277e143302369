#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "collector/build/build_progress.h"
#include "collector/checkout.h"
#include "collector/git/baseline.h"
#include "collector/git/repository.h"
#include "collector/plan/config_source.h"
#include "collector/plan/plan.h"
#include "collector/process/process.h"
#include "schema/config.h"

namespace perf {

// The build cache: a folder per build key, so that a revision is built once and measured often.
//
//     FOLDER/KEY.lock        held by the run that builds or measures in it
//     FOLDER/KEY/tree/       the checkout, where commands run
//     FOLDER/KEY/build.log   what git and the build said
//     FOLDER/KEY/clone       the git directory of the clone that it was built for
//     FOLDER/KEY/files       what the build left in the checkout (collector/trace/built_tree.h)
//     FOLDER/KEY/traces/     what its workloads asked for, each traced once (trace/traced_run.h)
//     FOLDER/KEY/complete    written last: without it, the folder is begun afresh
//
// KEY has a fixed width, so that the paths of two sides have one length: the length of a path moves
// the stack, and timings with it.

/// The hands that building needs.
struct BuildTools {
  RunProcess run;
  std::function<void(const std::string&)> say{};  ///< a line for whoever waits; may be empty
  std::function<bool()> interrupted{};  ///< true once a signal asked to stop; may be empty
  bool tells_what_is_there = true;      ///< `say` hears of what was built before, too
  std::string* said_command = nullptr;  ///< the build command that `say` heard last; may be null
  /// Keys of builds that are as they should be; what is not among them is built anew, and added.
  /// Null: what is complete is.
  std::set<std::string>* rebuilt = nullptr;
  TellBuildProgress progress{};  ///< may be empty
};

/// What is built; together it is the build key.
struct BuildRequest {
  std::string oid;
  std::optional<BuildCommand> build;  ///< nullopt: a checkout is enough
  std::string machine;                ///< fingerprint: last month's compiler is another
  std::uint64_t layout_seed = 0;      ///< PERF_COMPARE_LAYOUT_SEED; 0 = not given
  Outside outside{};                  ///< what else the build may read
  bool counts = false;                ///< PERF_COMPARE_COUNT: it is counted under valgrind, too
};

/// $XDG_CACHE_HOME/perf-compare, else ~/.cache/perf-compare. Throws Error where neither is named.
std::filesystem::path build_cache_folder(const GetVariable& variable);

/// 33 characters that stand for what is built: the commit's and a hash's (FNV-1a) of the rest. The
/// folder's `complete` holds all of it, so that equal keys of unlike builds are noticed.
std::string build_key(const BuildRequest& request);

/// Checks out and builds, or finds it done. `name` is for people: "base v1.2". A build that fails,
/// and a commit that cannot be checked out, are in the answer; they are tried again next time. A
/// checkout whose tracked files a workload has changed since it was built is built again; what
/// else a workload leaves there is not noticed. Waits while another run has the folder. What was
/// interrupted says so, and is no failure of the commit's. With a layout seed the build starts from
/// a copy of the same revision's finished build without one, so that most have only to link; from a
/// clean checkout where there is none, where its files name the place they were built in (CMake),
/// or where building in the copy fails. Throws Error where the cache cannot be written, and where
/// what comes from outside was changed since it was looked at.
Checkout build_revision(const Repository& repository, const std::string& name,
                        const BuildRequest& request, const std::filesystem::path& folder,
                        const BuildTools& tools);

/// Both sides of a plan, built; where there is no base, its checkout says so. Afterwards the cache
/// is pruned to what the config keeps of this clone's builds; what went is said.
Checkouts prepare(const PlannedRun& run, const Repository& repository,
                  const std::filesystem::path& folder, const BuildTools& tools);

/// What failed builds mean: without head's every workload has failed at head; without base's every
/// workload is new, with a warning. Interrupted ones mean nothing.
void apply_failures(const Checkouts& checkouts, Plan& plan);

/// Removes a build that will not be asked for again, unless a run holds it.
void discard_build(const BuildRequest& request, const std::filesystem::path& folder);

/// Removes the builds of a clone (Repository::common_dir) that were used longest ago, all but
/// `keep`, and none that a run holds; answers how many. Those of a clone that is gone go, too, and
/// what a killed run was removing a day ago.
std::size_t prune_builds(const std::filesystem::path& folder, const std::filesystem::path& clone,
                         std::size_t keep = Config().keep_builds);

/// An exclusive flock(2) on a file, held as long as the answer lives; the kernel gives it back when
/// the process dies. On file systems without locks there is none to hold, and runs are on their
/// own.
using BuildLock = std::shared_ptr<const void>;

/// Takes the lock if nobody has it; null when somebody has. Throws Error where the file cannot be
/// made.
BuildLock try_lock(const std::filesystem::path& file);

/// Takes the lock, calling `waiting` once when somebody has it; null when `interrupted` says true
/// before it is free.
BuildLock wait_for_lock(const std::filesystem::path& file, const std::function<void()>& waiting,
                        const std::function<bool()>& interrupted);

}  // namespace perf
