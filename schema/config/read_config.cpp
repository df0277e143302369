#include "schema/config.h"
#include "schema/config/fields.h"
#include "schema/formats/json_reader.h"
#include "schema/workload_name.h"

namespace perf {
namespace config {
namespace {

/// A config may come from a stranger's commit; ten thousand workloads are well below this.
constexpr formats::JsonLimits kConfigLimits{
    .bytes = std::size_t{8} << 20, .values = 500'000, .depth = 64, .comments = true};

/// Above this an alpha promises nothing; --alpha says the same.
constexpr double kLargestAlpha = 0.5;

constexpr std::string_view kExample =
    R"(add "workloads": [{"name": "NAME", "command": ["PROGRAM", "ARGUMENT"]}])";

/// {"command": [...], "timeout": "30m"}
BuildCommand read_build(const JsonValue& value) {
  const JsonObject& object = entry_object(value, "build", {"command", "timeout", "submodules"});
  BuildCommand build;
  take(object, "submodules", build.submodules, formats::as_bool);
  if (!build.submodules || find_value(object, "command") != nullptr) {
    build.command = read_command(required_field(object, value.offset, "command", "build"));
  }
  take(object, "timeout", build.timeout, read_duration);
  return build;
}

std::size_t read_kept(const JsonValue& value, std::string_view key) {
  const std::int64_t kept = formats::as_integer(value, key);
  if (kept < 2) {
    throw JsonFault{value.offset,
                    std::string(key) + " must be 2 or more, not " + std::to_string(kept),
                    "a comparison needs two builds"};
  }
  return static_cast<std::size_t>(kept);
}

/// {"release": "v1.2.0"}
std::map<std::string, std::string> read_baselines(const JsonValue& value) {
  std::map<std::string, std::string> baselines;
  for (const JsonMember& member : formats::as_object(value, "baselines")) {
    if (member.name == "HEAD" || !fault_in_workload_name(member.name).empty()) {
      throw JsonFault{member.offset, formats::in_quotes(member.name) + " is no name for a baseline",
                      "letters, digits and . _ - /, and not HEAD"};
    }
    const std::string& revision = read_text(member.value, "the revision of a baseline");
    if (revision.front() == '-') {  // no revision starts so, but every option does
      throw JsonFault{member.value.offset, formats::in_quotes(revision) + " is no revision"};
    }
    baselines[member.name] = revision;
  }
  return baselines;
}

/// {"threshold", "alpha", "budget", "metrics": {...}, "workloads": {...}}
Policy read_policy(const JsonValue& value) {
  const JsonObject& object =
      entry_object(value, "policy", {"threshold", "alpha", "budget", "metrics", "workloads"});
  Policy policy;
  take(object, "threshold", policy.threshold, read_threshold);
  take(object, "alpha", policy.alpha, [](const JsonValue& alpha, std::string_view key) {
    return read_share(alpha, key, kLargestAlpha);
  });
  take(object, "budget", policy.budget, read_duration);
  const auto thresholds = [&object](const std::string& key) {
    const JsonValue* given = find_value(object, key);
    const std::string where = "policy." + key;
    return given == nullptr ? Thresholds()
                            : read_thresholds(*given, where, where, "an empty name in " + where);
  };
  for (const auto& [metric, threshold] : thresholds("metrics")) {
    policy.thresholds.push_back({"", metric, threshold});
  }
  for (const auto& [glob, threshold] : thresholds("workloads")) {
    policy.thresholds.push_back({glob, "", threshold});
  }
  return policy;
}

Config read_root(const JsonValue& root) {
  const JsonObject& object = entry_object(
      root, "the config",
      {"$schema", "build", "uses", "keep_builds", "hub", "baselines", "workloads", "policy", "targets"});
  if (const JsonValue* schema = find_value(object, "$schema")) {
    formats::as_text(*schema, "$schema");
  }
  Config config;
  config.own_builds = formats::text_field(object, "build") == "own";
  if (!config.own_builds) {
    take(object, "build", config.build, read_build);
  }
  take(object, "keep_builds", config.keep_builds, read_kept);
  config.hub = formats::text_field(object, "hub");
  take(object, "uses", config.uses, read_globs);
  take(object, "baselines", config.baselines, read_baselines);
  take(object, "workloads", config.workloads, read_workloads);
  if (config.workloads.empty()) {
    const JsonValue* workloads = find_value(object, "workloads");
    throw JsonFault{workloads == nullptr ? root.offset : workloads->offset,
                    "the config has no workloads", std::string(kExample)};
  }
  take(object, "policy", config.policy, read_policy);
  for (ThresholdRule& rule : rules_of(config.workloads)) {
    config.policy.thresholds.push_back(std::move(rule));
  }
  take(object, "targets", config.targets,
       [&](const JsonValue& targets) { return read_targets(targets, config.workloads); });
  return config;
}

}  // namespace
}  // namespace config

Config read_config(std::string_view text, const std::string& filename) {
  return formats::with_places(text, filename, [&] {
    return config::read_root(formats::read_json(text, config::kConfigLimits));
  });
}

std::vector<Workload> workloads_of_size(const Config& config, const std::string& size) {
  std::vector<Workload> workloads;
  for (const ConfiguredWorkload& entry : config.workloads) {
    Workload workload = entry.workload;
    if (const auto at = entry.sizes.find(size); at != entry.sizes.end()) {
      if (!at->second) {
        continue;
      }
      for (const auto& [key, value] : *at->second) {
        workload.params[key] = value;
      }
    }
    workloads.push_back(std::move(workload));
  }
  return workloads;
}

}  // namespace perf
