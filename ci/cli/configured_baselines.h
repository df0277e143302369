#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ci/cli/options/options.h"
#include "collector/git/repository.h"

namespace perf {

/// An entry of the config's "baselines".
struct ConfiguredBaseline {
  std::string name;
  std::string revision;            ///< as it is written
  std::optional<std::string> oid;  ///< that it leads to now; absent: nowhere
};

/// The baselines of the config that --config names, else of the working tree's, else none; sorted
/// by name. They are resolved each time: one that names a branch moves with it.
std::vector<ConfiguredBaseline> configured_baselines(const Options& options,
                                                     const Repository& repository);

}  // namespace perf
