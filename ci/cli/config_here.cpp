#include "ci/cli/config_here.h"

#include "collector/build/config_source.h"

namespace perf {

Config config_here(const Options& options, const Repository* repository) {
  if (!options.config.empty()) {
    return config_of_file(options.config).config;
  }
  const auto found = repository ? config_of_working_tree(*repository) : std::nullopt;
  return found ? found->config : Config{};
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
