#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "ci/cli/options/options.h"
#include "collector/process/spawner.h"
#include "schema/store/store.h"

namespace perf {

/// Where the results to look at lie: --db, for which no repository is needed, else the store of the
/// repository. Throws Error where there is none.
std::filesystem::path store_to_look_into(const Options& options, Spawner& spawner);

/// The run whose id is `wanted`, or begins with it as no other's does; nullopt where none does.
/// Throws UsageError, naming some of them, where several do.
std::optional<std::string> find_run(const Store& store, const std::string& wanted);

/// The same; throws UsageError, with the nearest id, where there is none.
std::string require_run(const Store& store, const std::string& wanted);

}  // namespace perf
