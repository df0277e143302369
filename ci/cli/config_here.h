#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ci/cli/options/options.h"
#include "collector/build/config_source.h"
#include "collector/git/repository.h"
#include "schema/config.h"

namespace perf {

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
