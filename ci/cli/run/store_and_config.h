#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "ci/cli/options/options.h"
#include "collector/git/repository.h"
#include "collector/plan/config_source.h"
#include "collector/process/spawner.h"
#include "schema/config.h"

namespace perf {

/// The store: --db, else .perf-compare/results.db at the top of the working tree. Throws UsageError
/// if --db has a link out of the repository, and Error if the checked-out commit contains a folder
/// .perf-compare. Prints a note if the file is empty.
std::filesystem::path store_path(const Options& options, const Repository& repository);

/// The store if it exists. Throws Error if --db names a missing one, with the command that creates
/// it ("pin NAME"), and if the file cannot be examined.
std::optional<std::filesystem::path> store_there(const Options& options,
                                                 const Repository& repository,
                                                 const std::string& what_makes_it);

/// The store to read: --db, without a repository, else that of the repository. Throws Error if it
/// does not exist.
std::filesystem::path store_to_look_into(const Options& options, Spawner& spawner);

/// An entry of the config's "baselines".
struct ConfiguredBaseline {
  std::string name;
  std::string revision;            ///< as written
  std::optional<std::string> oid;  ///< the current commit; absent if it does not resolve
};

/// The config of --config, else of the working tree, else an empty one. `repository` may be null.
FoundConfig found_here(const Options& options, const Repository* repository);
Config config_here(const Options& options, const Repository* repository);

/// The baselines of a config, sorted by name; a baseline that is a branch moves with it.
std::vector<ConfiguredBaseline> configured_baselines(const Config& config,
                                                     const Repository& repository);

}  // namespace perf
