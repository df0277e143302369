#include "ci/cli/settings.h"

#include "schema/error.h"

namespace perf {
namespace {

Params params_of(const std::string& option, const std::vector<Setting>& settings) {
  Params params;
  for (const Setting& setting : settings) {
    if (!params.emplace(setting.key, param_from_text(setting.values.front())).second) {
      throw UsageError("a parameter is set twice", option + " " + setting.key,
                       "give each side one value; --vary takes several");
    }
  }
  return params;
}

}  // namespace

Settings settings_of(const Options& options) {
  Settings settings;
  settings.base = params_of("--base-set", options.base_set);
  settings.head = params_of("--head-set", options.head_set);
  if (options.vary) {
    settings.vary = VariedParam{options.vary->key, {}};
    for (const std::string& value : options.vary->values) {
      settings.vary->values.push_back(param_from_text(value));
    }
  }
  return settings;
}

}  // namespace perf
