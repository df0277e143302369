#include "schema/config.h"
#include "schema/config/fields.h"
#include "schema/workload_name.h"

namespace perf {
namespace config {
namespace {

/// A config may come from a foreign commit; ten thousand workloads are well below this.
constexpr formats::JsonLimits kConfigLimits{
    .bytes = std::size_t{8} << 20, .values = 500'000, .depth = 64, .comments = true};

/// Above this an alpha guarantees nothing; --alpha has the same limit.
constexpr double kLargestAlpha = 0.5;

constexpr std::string_view kExample =
    R"(add "workloads": [{"name": "NAME", "command": ["PROGRAM", "ARGUMENT"]}])";

BuildCommand read_build(const JsonValue& value, std::string_view key) {
  BuildCommand build;
  read_keys(value, std::string(key), [&](Keys& keys) {
    keys("submodules", build.submodules, formats::as_bool);
    if (build.submodules) {
      keys("command", build.command, read_command);
    } else {
      keys.required("command", build.command, read_command);
    }
    keys("timeout", build.timeout, read_duration);
  });
  return build;
}

std::size_t read_kept(const JsonValue& value, std::string_view key) {
  const std::int64_t kept = formats::as_integer(value, key);
  if (kept < 2) {
    throw JsonFault{value.offset,
                    std::string(key) + " must be at least 2, got " + std::to_string(kept),
                    "keep two builds or more: a comparison needs two"};
  }
  return static_cast<std::size_t>(kept);
}

/// {"release": "v1.2.0"}
std::map<std::string, std::string> read_baselines(const JsonValue& value, std::string_view key) {
  std::map<std::string, std::string> baselines;
  for (const JsonMember& member : formats::as_object(value, key)) {
    if (member.name == "HEAD" || !fault_in_workload_name(member.name).empty()) {
      throw JsonFault{member.offset, "invalid baseline name " + in_quotes(member.name),
                      "use letters, digits and . _ - /, but not HEAD"};
    }
    const std::string& revision = read_text(member.value, "the revision of a baseline");
    if (revision.front() == '-') {  // it would be an option of git
      throw JsonFault{member.value.offset, "invalid revision " + in_quotes(revision)};
    }
    baselines[member.name] = revision;
  }
  return baselines;
}

double read_alpha(const JsonValue& value, std::string_view key) {
  return read_share(value, key, kLargestAlpha);
}

Policy read_policy(const JsonValue& value, std::string_view key) {
  Policy policy;
  Thresholds metrics, workloads;
  read_keys(value, std::string(key), [&](Keys& keys) {
    keys("threshold", policy.threshold, read_threshold);
    keys("alpha", policy.alpha, read_alpha);
    keys("budget", policy.budget, read_duration);
    keys("metrics", metrics, read_metric_thresholds);
    keys("workloads", workloads, read_thresholds);
  });
  for (const auto& [metric, threshold] : metrics) {
    policy.thresholds.push_back({"", metric, threshold});
  }
  for (const auto& [glob, threshold] : workloads) {
    policy.thresholds.push_back({glob, "", threshold});
  }
  return policy;
}

Config read_root(const JsonValue& root) {
  Config config;
  std::string schema;
  read_keys(root, "the config", [&](Keys& keys) {
    keys("$schema", schema, formats::as_text);
    keys("build", config.build, [&](const JsonValue& value, std::string_view key) {
      const std::string* word = std::get_if<std::string>(&value.data);
      config.own_builds = word != nullptr && *word == "own";
      return config.own_builds ? std::nullopt : std::optional(read_build(value, key));
    });
    keys("uses", config.uses, read_globs);
    keys("keep_builds", config.keep_builds, read_kept);
    keys("hub", config.hub, formats::as_text);
    keys("baselines", config.baselines, read_baselines);
    keys("workloads", config.workloads, read_workloads);
    keys("policy", config.policy, read_policy);
    keys("targets", config.targets, [&](const JsonValue& value, std::string_view) {
      return read_targets(value, config.workloads);
    });
  });
  if (config.workloads.empty()) {
    const JsonValue* workloads = find_value(formats::as_object(root, ""), "workloads");
    throw JsonFault{workloads == nullptr ? root.offset : workloads->offset,
                    "the config has no workloads", std::string(kExample)};
  }
  for (ThresholdRule& rule : rules_of(config.workloads)) {
    config.policy.thresholds.push_back(std::move(rule));
  }
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
