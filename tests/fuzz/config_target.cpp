#include "schema/config.h"
#include "schema/workload_name.h"
#include "tests/fuzz/checks.h"
#include "tests/fuzz/target.h"

namespace perf::fuzz {
namespace {

constexpr double kLargestThreshold = 10, kLargestAlpha = 0.5, kYear = 366 * 86400.0;

std::string text_of(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    text += " [" + word + "]";
  }
  return text;
}

void require_usable(const Workload& workload) {
  require(fault_in_workload_name(workload.name).empty(), "a name that no workload may have");
  require(!workload.command.empty() && !workload.command.front().empty(), "no command");
  require(workload.timeout > 0 && workload.timeout <= kYear, "a timeout out of range");
  for (const auto& [name, value] : workload.params) {
    require(!name.empty() && name.front() != '-' && name.find('=') == std::string::npos,
            "a parameter that is another option");
    const double* number = std::get_if<double>(&value);
    require(number == nullptr || std::isfinite(*number), "a parameter that is no number");
  }
}

std::string workloads_text(const Config& config) {
  std::string text;
  for (const ConfiguredWorkload& entry : config.workloads) {
    require_usable(entry.workload);
    text += entry.workload.name + text_of(entry.workload.command) + entry.workload.format +
            fuzz::text_of(entry.workload.params) + exactly(entry.workload.timeout) + "\n";
    for (const auto& [metric, threshold] : entry.metric_thresholds) {
      text += " " + metric + "=" + exactly(threshold);
    }
  }
  for (const char* size : {"smoke", "ci", "full"}) {
    for (const Workload& workload : workloads_of_size(config, size)) {
      require_usable(workload);
      text += size + workload.name + fuzz::text_of(workload.params) + "\n";
    }
  }
  return text;
}

std::string policy_text(const Policy& policy) {
  require(policy.threshold > 0 && policy.threshold < kLargestThreshold, "a threshold out of range");
  require(policy.alpha > 0 && policy.alpha < kLargestAlpha, "an alpha out of range");
  require(policy.budget > 0 && policy.budget <= kYear, "a budget out of range");
  std::string text = exactly(policy.threshold) + exactly(policy.alpha) + exactly(policy.budget);
  for (const ThresholdRule& rule : policy.thresholds) {
    require(rule.threshold > 0 && rule.threshold < kLargestThreshold, "a rule out of range");
    text += rule.workload_glob + "|" + rule.metric + exactly(rule.threshold) + text_of(rule.except);
  }
  return text + exactly(threshold_for(policy, "a/b", "step_time")) + "\n";
}

std::string targets_text(const Config& config) {
  std::string text;
  for (const Target& goal : config.targets) {
    text += goal.name + "|" + goal.metric + "|" + goal.of + "\n";
  }
  return text;
}

void run(std::string_view input) {
  read_twice(input, "perf-compare.json:", [](const std::string& text) {
    const Config config = read_config(text, "perf-compare.json");
    require(!config.workloads.empty(), "a config without workloads");
    std::string build;
    if (config.build) {
      require(!config.build->command.empty() && config.build->timeout > 0, "a build of nothing");
      build = text_of(config.build->command) + exactly(config.build->timeout);
    }
    for (const auto& [name, revision] : config.baselines) {
      require(!name.empty() && !revision.empty(), "a baseline without a name");
    }
    return build + workloads_text(config) + policy_text(config.policy) + targets_text(config);
  });
}

std::vector<std::string> seeds() {
  return {source_file("perf-compare.json"), R"({"workloads": [{"name": "a", "command": ["x"]}]})",
          R"(// all of it
{ "$schema": "s", "build": {"command": ["make", "bench"], "timeout": "30m"},
  "baselines": {"release": "v1"},
  "workloads": [ {"name": "a/b", "command": ["bin", "run"], "format": "steps",
      "params": {"layers": 4, "x": "y", "on": true, "rate": 0.5},
      "sizes": {"smoke": {"layers": 1}, "ci": false}, "timeout": "250ms",
      "metrics": {"m": {"threshold": "0.5%"}}},
    {"name": "c", "command": ["x", "{out}"], "format": "google-benchmark"} ], /* more */
  "policy": {"threshold": "10%", "alpha": "1%", "budget": "2h",
    "metrics": {"peak_rss": {"threshold": "5%"}}, "workloads": {"a/*": {"threshold": "3%"}}},
  "targets": [ {"name": "t", "metric": "step_time", "of": "a/b", "over": "c", "at_least": 2.0,
                "size": "full"},
    {"name": "u", "of": "c", "at_most": "2m"},
    {"name": "v", "metric": "peak_rss", "of": "c", "at_most": "1GiB"} ] })"};
}

}  // namespace

FuzzTarget config_target() {
  return {"config", run, seeds};
}

}  // namespace perf::fuzz
