#pragma once

#include <map>
#include <string>
#include <vector>

#include "schema/config.h"
#include "schema/formats/json_value.h"

namespace perf::config {

/// One entry of the config each. All throw JsonFault at the first thing that is not to the letter.

/// {"command": [...], "timeout": "30m"}
BuildCommand read_build(const formats::JsonValue& value);
/// {"release": "v1.2.0"}
std::map<std::string, std::string> read_baselines(const formats::JsonValue& value);
/// [{"name": ..., "command": [...], "format", "params", "sizes", "timeout", "metrics"}, ...]
std::vector<ConfiguredWorkload> read_workloads(const formats::JsonValue& value);
/// {"threshold", "alpha", "budget", "metrics": {...}, "workloads": {...}}
Policy read_policy(const formats::JsonValue& value);
/// [{"name", "metric", "of", "over", "at_least" or "at_most", "size"}, ...], naming workloads that
/// are there.
std::vector<Target> read_targets(const formats::JsonValue& value,
                                 const std::vector<ConfiguredWorkload>& workloads);

/// Parameters of a workload: an object of texts, numbers and truth values, whose names can be
/// options of a command (`--name`).
Params read_options(const formats::JsonValue& value, std::string_view where);

/// The rules that workloads state in their own `metrics`, children (`entry/child`) included,
/// but not workloads of the config whose names look like children.
std::vector<ThresholdRule> rules_of(const std::vector<ConfiguredWorkload>& workloads);

}  // namespace perf::config
