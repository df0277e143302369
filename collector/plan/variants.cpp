#include <algorithm>
#include <set>

#include "collector/plan/plan.h"
#include "schema/error.h"
#include "schema/workload_name.h"

namespace perf {
namespace {

/// A key becomes an option, `--key`.
void require_option_name(const std::string& key, const std::string& option) {
  if (key.find('/') != std::string::npos || !fault_in_workload_name(key).empty()) {
    throw UsageError("invalid parameter name", option + " " + key,
                     "use letters, digits and . _ -, as in " + option + " hidden-size=256");
  }
}

void require_distinct_values(const VariedParam& varied) {
  if (varied.values.size() < 2) {
    throw UsageError("at least two values are needed", "--vary " + varied.key,
                     "write KEY=A,B,C: each value is compared with the first");
  }
  std::set<std::string> seen;
  for (const Param& value : varied.values) {
    if (!seen.insert(to_text(value)).second) {
      throw UsageError("duplicate value", to_text(value),
                       "name each value of --vary " + varied.key + " once");
    }
  }
}

void require_sound(const Settings& settings) {
  for (const auto& [key, value] : settings.base) {
    require_option_name(key, "--base-set");
  }
  for (const auto& [key, value] : settings.head) {
    require_option_name(key, "--head-set");
  }
  if (settings.vary) {
    const VariedParam& varied = *settings.vary;
    require_option_name(varied.key, "--vary");
    if (settings.base.count(varied.key) + settings.head.count(varied.key) > 0) {
      throw UsageError("a parameter cannot be both varied and set", varied.key,
                       "use either --vary, or --base-set and --head-set");
    }
    require_distinct_values(varied);
  }
}

void warn_of_unknown_key(const std::string& key, Plan& plan) {
  const bool known = std::ranges::any_of(plan.workloads, [&key](const PlannedWorkload& one) {
    return one.workload.params.count(key) > 0;
  });
  if (!known) {
    plan.warnings.push_back({WarningKind::unknown_parameter, {}, {{"name", key}}});
  }
}

Params overridden(const Params& params, Params by) {
  by.insert(params.begin(), params.end());
  return by;
}

/// A workload for each further value of a varied parameter.
std::vector<PlannedWorkload> variants_of(const PlannedWorkload& original, const VariedParam& varied,
                                         std::set<std::string>& taken) {
  std::vector<PlannedWorkload> variants;
  for (std::size_t i = 1; i < varied.values.size(); ++i) {
    PlannedWorkload variant = original;
    const std::string plain = variant_name(original.workload.name, varied.key, varied.values[i]);
    std::string name = plain;
    for (int twin = 2; !taken.insert(name).second; ++twin) {  // "a b" and "a_b"
      name = plain + "-" + std::to_string(twin);
    }
    if (const std::string fault = fault_in_workload_name(name); !fault.empty()) {
      throw UsageError("the name of a variant " + fault, name, "use a shorter value");
    }
    variant.workload.name = name;
    variant.workload.params[varied.key] = varied.values[i];
    (*variant.base_params)[varied.key] = varied.values.front();
    variants.push_back(std::move(variant));
  }
  return variants;
}

}  // namespace

std::string variant_name(const std::string& workload, const std::string& key, const Param& value) {
  std::string end = key + "-" + to_text(value);
  for (std::size_t i = 0; i < end.size(); ++i) {
    const bool misplaced = end[i] == '.' && (i == 0 || end[i - 1] == '.');
    if (misplaced || !is_name_letter(end[i])) {
      end[i] = '_';
    }
  }
  return workload + "/" + end;
}

void apply_settings(const Settings& settings, Plan& plan) {
  require_sound(settings);
  if (!settings.any()) {
    return;
  }
  for (const auto& [key, value] : overridden(settings.base, settings.head)) {
    warn_of_unknown_key(key, plan);
  }
  if (settings.vary) {
    warn_of_unknown_key(settings.vary->key, plan);
  }
  std::set<std::string> taken;
  for (PlannedWorkload& planned : plan.workloads) {
    planned.base_params = overridden(planned.workload.params, settings.base);
    planned.workload.params = overridden(planned.workload.params, settings.head);
    taken.insert(planned.workload.name);
  }
  if (settings.vary) {
    std::vector<PlannedWorkload> variants;
    for (const PlannedWorkload& planned : plan.workloads) {
      for (PlannedWorkload& variant : variants_of(planned, *settings.vary, taken)) {
        variants.push_back(std::move(variant));
      }
    }
    plan.workloads = std::move(variants);
  }
}

}  // namespace perf
