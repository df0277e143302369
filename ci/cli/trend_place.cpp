#include <algorithm>
#include <system_error>
#include <utility>

#include "ci/cli/config_here.h"
#include "ci/cli/session.h"
#include "ci/cli/store_path.h"
#include "ci/cli/trend_parts.h"
#include "collector/build/config_source.h"
#include "schema/error.h"
#include "schema/shell_words.h"

namespace perf {
namespace {

bool is_there(const std::filesystem::path& file) {
  std::error_code error;
  const bool there = std::filesystem::exists(file, error);
  if (error) {
    throw Error("cannot look for the store: " + error.message(), file.string());
  }
  return there;
}

/// Reads only; a store of an older version is migrated, one that is not there is not made.
std::optional<Store> open_to_read(const Options& options, const std::filesystem::path& file) {
  if (!is_there(file)) {
    if (!options.db.empty()) {
      throw Error("there is no such store", options.db,
                  "perf-compare collect HEAD --db " + shell_word(options.db) + " makes it");
    }
    return std::nullopt;
  }
  try {
    return Store(file, Store::Access::read_only);
  } catch (const Error&) {
    return Store(file);
  }
}

}  // namespace

TrendPlace open_place(const Options& options, Spawner& spawner) {
  Repository repository = Repository::open(options.repo, make_run_process(spawner));
  std::filesystem::path file = store_path(options, repository);
  Config config = config_here(options, &repository);
  std::optional<Store> store = open_to_read(options, file);
  NameSources sources{store ? store->pins() : std::vector<Baseline>{}, config.baselines,
                      environment_variable};
  return {std::move(repository), std::move(file), std::move(config), std::move(store),
          std::move(sources)};
}

std::vector<Baseline> baselines_of(const TrendPlace& place) {
  std::vector<Baseline> baselines = place.sources.pins;
  for (const ConfiguredBaseline& one : configured_baselines(place.config, place.repository)) {
    const bool pinned = std::ranges::any_of(
        place.sources.pins, [&](const Baseline& pin) { return pin.name == one.name; });
    if (one.oid && !pinned) {
      baselines.push_back({one.name, *one.oid, "in the config: " + one.revision, ""});
    }
  }
  return baselines;
}

std::optional<std::set<std::string>> entries_of(const TrendPlace& place, const Revision& head,
                                                const std::string& size) {
  Config config = place.config;
  if (config.workloads.empty()) {
    try {
      const std::optional<FoundConfig> found = config_of_revision(place.repository, head);
      config = found ? found->config : Config{};
    } catch (const Error&) {
      return std::nullopt;
    }
  }
  std::set<std::string> entries;
  for (const Workload& workload : workloads_of_size(config, size)) {
    entries.insert(workload.name);
  }
  return entries;
}

}  // namespace perf
