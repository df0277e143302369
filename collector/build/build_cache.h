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

// The build cache: a folder for each build key, so that a revision is built once and measured
// often.
//
//     FOLDER/KEY.lock        held by the run that builds or measures in it
//     FOLDER/KEY/tree/       the checkout, where commands run
//     FOLDER/KEY/build.log   the output of git and of the build
//     FOLDER/KEY/clone       the git directory of the clone that it was built for
//     FOLDER/KEY/files       what the build left in the checkout (collector/trace/built_tree.h)
//     FOLDER/KEY/copies/     those of these files that workloads of the clone change
//     FOLDER/KEY/inputs      what the build read outside, its variables, and an end if all was seen
//     FOLDER/KEY/caches/     what compilers keep between processes (process/compiler_caches.h)
//     FOLDER/KEY/traces/     the traces of its workloads (collector/trace/program.h, run_traced)
//     FOLDER/KEY/complete    written last: without it, the folder is built again
//
// KEY has a fixed width, so that the paths of both sides have one length: the length of a path
// moves the stack, and that changes timings.

/// The hooks of building.
struct BuildTools {
  RunProcess run;
  std::function<void(const std::string&)> report{};  ///< shows a line of progress; may be empty
  std::function<bool()> interrupted{};       ///< true once a signal asked to stop; may be empty
  bool reports_cached = true;                ///< reports also what was built before
  std::string* reported_command = nullptr;   ///< the build command reported last; may be null
  std::set<std::string>* rebuilt = nullptr;  ///< keys of new builds are added; may be null
  TellBuildProgress progress{};              ///< may be empty
  bool rebuilds = false;                     ///< builds again what is not among `rebuilt`
  std::string* filters = nullptr;  ///< filters_digest, known until something is built; may be null
};

/// What is built. All of it is part of the build key, and so are the variables and tools that
/// builds use.
struct BuildRequest {
  std::string oid;
  std::optional<BuildCommand> build;  ///< nullopt: only checked out
  std::string machine;                ///< fingerprint: changes with the compiler
  std::uint64_t layout_seed = 0;      ///< PERF_COMPARE_LAYOUT_SEED; 0 = not given
  Outside outside{};                  ///< files outside the commit that the build may read
  bool counts = false;                ///< PERF_COMPARE_COUNT: counted under valgrind as well
};

/// $XDG_CACHE_HOME/perf-compare, else ~/.cache/perf-compare. Throws Error where neither is set.
std::filesystem::path build_cache_folder(const GetVariable& variable);

/// 33 characters: the begin of the commit's id, and a hash (FNV-1a) of the rest of the request. The
/// folder's `complete` contains all of it, so that a collision is noticed.
std::string build_key(const BuildRequest& request);

/// Checks out and builds a revision, unless the cache has it. `name` is for messages: "base v1.2".
/// A failed checkout or build is returned, not thrown, and tried again next time. A kept checkout
/// is put back as its build left it; it is built again if files changed of which there are no
/// copies, or a file outside that the build read. Waits while another run uses the folder. With a
/// layout seed the build starts from a copy of the same revision's build without one, so that most
/// only have to link; from a clean checkout where there is no such build, where its files contain
/// its own path (CMake), or where building in the copy fails. Throws Error where the cache cannot
/// be written, and where the files outside the commit have changed.
Checkout build_revision(const Repository& repository, const std::string& name,
                        const BuildRequest& request, const std::filesystem::path& folder,
                        const BuildTools& tools);

/// Builds both sides of a plan; without a base, its checkout is a failure. Then removes builds of
/// this clone until the config's `keep_builds` are left, and reports how many.
Checkouts prepare(const PlannedRun& run, const Repository& repository,
                  const std::filesystem::path& folder, const BuildTools& tools);

/// Applies failed builds to a plan: without head's build every workload has failed at head; without
/// base's every workload is new, with a warning. Interrupted builds are ignored.
void apply_failures(const Checkouts& checkouts, Plan& plan);

/// Puts a checkout back as its build left it, but no folder of a command (Checkout::root), and
/// empties the compilers' caches, so that both sides of a comparison start equal.
void put_back(const Checkout& checkout, const RunProcess& run);

/// The files that the build left in a checkout and that are not so now; without those that
/// workloads are known to change, and what Python compiled.
std::set<std::string> changed_since_build(const Checkout& checkout);

/// Removes a build that is no longer needed, unless a run holds it.
void discard_build(const BuildRequest& request, const std::filesystem::path& folder);

/// Removes the least recently used builds of a clone (Repository::common_dir) until `keep` are
/// left, except those that a run holds; returns how many. Removes also builds of clones that no
/// longer exist, and what killed runs left half removed.
std::size_t prune_builds(const std::filesystem::path& folder, const std::filesystem::path& clone,
                         std::size_t keep = Config().keep_builds);

/// An exclusive flock(2) on a file, held as long as this lives; the kernel releases it when the
/// process dies. File systems without locks give no protection.
using BuildLock = std::shared_ptr<const void>;

/// Takes the lock; null where another process holds it. Throws Error where the file cannot be
/// created.
BuildLock try_lock(const std::filesystem::path& file);

/// Takes the lock; calls `waiting` once where another process holds it. Null where `interrupted`
/// returns true first.
BuildLock wait_for_lock(const std::filesystem::path& file, const std::function<void()>& waiting,
                        const std::function<bool()>& interrupted);

}  // namespace perf
