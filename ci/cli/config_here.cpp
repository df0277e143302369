#include "ci/cli/config_here.h"

namespace perf {

FoundConfig found_here(const Options& options, const Repository* repository) {
  if (!options.config.empty()) {
    return config_of_file(options.config);
  }
  const auto found = repository ? config_of_working_tree(*repository) : std::nullopt;
  return found.value_or(FoundConfig{});
}

Config config_here(const Options& options, const Repository* repository) {
  return found_here(options, repository).config;
}

std::vector<ConfiguredBaseline> configured_baselines(const Config& config,
                                                     const Repository& repository) {
  std::vector<ConfiguredBaseline> baselines;
  for (const auto& [name, expression] : config.baselines) {
    const std::optional<Revision> revision = repository.find(expression);
    baselines.push_back({name, expression, revision ? std::optional(revision->oid) : std::nullopt});
  }
  return baselines;
}

}  // namespace perf
