#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/policy.h"
#include "schema/report.h"
#include "schema/workload.h"

namespace perf {

/// How much of everything is run: a taste, a CI job, the real thing.
inline constexpr std::array<std::string_view, 3> kSizes{"smoke", "ci", "full"};

/// The subject's own way to build a revision.
struct BuildCommand {
  std::vector<std::string> command;  ///< empty: nothing to run, the submodules are all
  double timeout = 1800;             ///< s
  bool submodules = false;           ///< they are checked out too
};

/// A workload entry as the config states it, sizes not yet applied.
struct ConfiguredWorkload {
  Workload workload;
  /// Overrides of params per size; nullopt: the size leaves the workload out.
  std::map<std::string, std::optional<Params>> sizes;
  std::map<std::string, double> metric_thresholds;  ///< as written; policy.thresholds has them too
};

/// perf-compare.json, read.
struct Config {
  std::optional<BuildCommand> build;
  bool own_builds = false;  ///< `"build": "own"`: of each commit's own config, whoever is named
  std::optional<std::vector<std::string>> uses{};  ///< globs of files outside the history
  std::size_t keep_builds = 20;                    ///< of this clone, by last use; 2 or more
  std::string hub{};  ///< where runs meet: git:REMOTE or dir:FOLDER; empty: nowhere
  std::map<std::string, std::string> baselines;  ///< name -> revision
  std::vector<ConfiguredWorkload> workloads;
  Policy policy;
  std::vector<Target> targets;
};

/// Reads a config: JSON with comments, as schema/json/config.schema.json says it. Throws UsageError
/// with file:line:column for anything that is not to the letter: unknown keys (naming the nearest
/// known one), wrong types, bad names, bad units (percentages and durations are text with a unit,
/// because a bare 10 may be 10 % or ten times), no workload. Thresholds of `policy` and of each
/// workload's `metrics` end as rules in policy.thresholds, in the order that threshold_for wants.
Config read_config(std::string_view text, const std::string& filename);

/// The workloads of a size, params merged, those left out by `"sizes": {"smoke": false}` gone.
std::vector<Workload> workloads_of_size(const Config& config, const std::string& size);

}  // namespace perf
