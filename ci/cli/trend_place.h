#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ci/cli/options/options.h"
#include "collector/git/baseline.h"
#include "collector/git/repository.h"
#include "collector/process/spawner.h"
#include "schema/config.h"
#include "schema/revision.h"
#include "schema/store/store.h"

namespace perf {

/// What a trend is told from, as far as it is no measurement.
struct TrendPlace {
  Repository repository;
  std::filesystem::path store_file;
  Config config;               ///< empty where there is none
  std::optional<Store> store;  ///< nothing where none was made yet
  NameSources sources;
};

/// Opens it to read. Throws Error where --db names a file that is not there.
TrendPlace open_place(const Options& options, Spawner& spawner);

/// Pins, and those baselines of the config that lead to a commit and that no pin shadows.
std::vector<Baseline> baselines_of(const TrendPlace& place);

/// The workloads that can be compared: those of the config, where there is none of head's own;
/// nullopt where that one cannot be read.
std::optional<std::set<std::string>> entries_of(const TrendPlace& place, const Revision& head,
                                                const std::string& size);

}  // namespace perf
