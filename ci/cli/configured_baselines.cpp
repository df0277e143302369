#include "ci/cli/configured_baselines.h"

#include "collector/build/config_source.h"

namespace perf {

std::vector<ConfiguredBaseline> configured_baselines(const Options& options,
                                                     const Repository& repository) {
  const std::optional<FoundConfig> found =
      !options.config.empty() ? config_of_file(options.config) : config_of_working_tree(repository);
  std::vector<ConfiguredBaseline> baselines;
  if (!found) {
    return baselines;
  }
  for (const auto& [name, expression] : found->config.baselines) {
    ConfiguredBaseline& baseline = baselines.emplace_back();
    baseline.name = name;
    baseline.revision = expression;
    if (const std::optional<Revision> revision = repository.find(expression)) {
      baseline.oid = revision->oid;
    }
  }
  return baselines;
}

}  // namespace perf
