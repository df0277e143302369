#pragma once

#include <optional>
#include <string>
#include <vector>

#include "schema/param.h"
#include "schema/plan.h"

namespace perf {

/// One parameter and the values to compare: the first is base's.
struct VariedParam {
  std::string key;
  std::vector<Param> values;
};

/// What turns a comparison of revisions into one of settings.
struct Settings {
  Params base;                      ///< --base-set: parameters of base alone
  Params head;                      ///< --head-set
  std::optional<VariedParam> vary;  ///< --vary

  bool any() const { return !base.empty() || !head.empty() || vary; }
};

/// Gives a plan's workloads the settings: base's go to `base_params`, head's over `params`. Where a
/// parameter is varied, each workload NAME becomes one a further value, named as `variant_name`
/// says, with the first value at base. A key that no workload has is passed on, because a command
/// may know parameters that the config does not mention; a warning says so.
/// Throws UsageError for a key that is no option's name (--KEY), one value twice, fewer than two
/// values, a key that is varied and set, and names that become too long.
void apply_settings(const Settings& settings, Plan& plan);

/// NAME/KEY-VALUE, what a workload's name may not hold replaced by `_`.
std::string variant_name(const std::string& workload, const std::string& key, const Param& value);

}  // namespace perf
