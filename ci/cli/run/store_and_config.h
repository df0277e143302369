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

/// Where results are kept: --db, else .perf-compare/results.db at the top of the working tree.
/// Throws UsageError where --db goes through a link out of the repository, and Error where the
/// commit that is checked out has a folder .perf-compare. Notes on standard error that a file of
/// that name is empty.
std::filesystem::path store_path(const Options& options, const Repository& repository);

/// The same for who makes none; nothing where there is none. Throws Error where --db names one that
/// is not there, with what makes it ("pin NAME"), and where that cannot be told.
std::optional<std::filesystem::path> store_there(const Options& options,
                                                 const Repository& repository,
                                                 const std::string& what_makes_it);

/// Where the results to look at lie: --db, for which no repository is needed, else the store of the
/// repository. Throws Error where there is none.
std::filesystem::path store_to_look_into(const Options& options, Spawner& spawner);

/// An entry of the config's "baselines".
struct ConfiguredBaseline {
  std::string name;
  std::string revision;            ///< as it is written
  std::optional<std::string> oid;  ///< that it leads to now; absent: nowhere
};

/// The config that --config names, else the working tree's, else an empty one; nullptr: there is no
/// repository.
FoundConfig found_here(const Options& options, const Repository* repository);
Config config_here(const Options& options, const Repository* repository);

/// The baselines of a config, sorted by name. They are resolved each time: one that names a branch
/// moves with it.
std::vector<ConfiguredBaseline> configured_baselines(const Config& config,
                                                     const Repository& repository);

}  // namespace perf
