#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "collector/machine/system_calls.h"
#include "collector/process/process.h"
#include "schema/environment.h"

namespace perf {

/// Where the probe looks, handed in so that tests can describe a machine.
struct ProbeSources {
  std::filesystem::path root = "/";  ///< holds proc/, sys/, etc/, run/
  SystemCalls system;
  /// One variable of the environment; it is asked for an allow-list of names only.
  std::function<std::optional<std::string>(const char*)> variable;
  RunProcess run_process;  ///< for `c++ --version`; may be empty
};

/// This machine, with this process's variables.
ProbeSources this_machine(RunProcess run_process);

/// Reads what explains a timing apart from the code. Facts that cannot be had are absent. Every
/// value is one line of valid text of at most 200 B, whatever the sources held. Never throws for
/// what a source says.
Environment probe_environment(const ProbeSources& sources);

/// The fingerprint of machine facts: FNV-1a (64 bit, 16 hexadecimal digits) over the
/// length-prefixed names and values in the map's order. The same facts give the same text on every
/// platform and in every version of this tool.
std::string fingerprint_of(const std::map<std::string, std::string>& machine);

}  // namespace perf
