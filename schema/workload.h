#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schema/param.h"

namespace perf {

/// The format of a workload that writes the protocol: it alone gets a number of steps.
inline constexpr std::string_view kStepsFormat = "steps";
/// The format of a workload without output: its whole process is the one step of an invocation.
inline constexpr std::string_view kProcessFormat = "process";

/// One benchmark: name, parameters, and the command that runs it.
struct Workload {
  std::string name;
  std::vector<std::string> command;  ///< argument vector, run in the checkout; no shell
  std::string format = "steps";      ///< how its output is read: steps, process, or a foreign one
  Params params;                     ///< for the chosen size, appended as `--key value`
  double timeout = 300;              ///< s
  std::string outside{};             ///< digest of its files outside the history; empty: none
  /// Globs of files below the checkout that it reads, from the config: for tracing.
  std::vector<std::string> inputs{};
  double seconds = 0;           ///< s that it takes, by the config, for shards alone; 0: unknown
  std::string config_folder{};  ///< PERF_COMPARE_CONFIG_DIR; of this machine alone, and not stored
};

}  // namespace perf
