#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "collector/environment_variable.h"
#include "collector/process/process.h"
#include "schema/environment.h"

namespace perf {

/// What the kernel and the C library tell by calls instead of files. Empty where they do not.
struct SystemCalls {
  std::string kernel_release;  ///< uname -r
  std::string architecture;    ///< uname -m
  std::string libc;            ///< "glibc 2.36"; empty in a static program, which has its own
  std::optional<int> cores;    ///< CPUs that this process may run on
  std::string hypervisor;      ///< the signature that CPUID gives: "KVMKVMKVM"
};

/// Where the probe looks, handed in so that tests can describe a machine.
struct ProbeSources {
  std::filesystem::path root = "/";  ///< holds proc/, sys/, etc/, run/
  SystemCalls system;
  /// One variable of the environment; it is asked for an allow-list of names only.
  GetVariable variable = [](const std::string&) { return std::optional<std::string>(); };
  RunProcess run_process;  ///< for `c++ --version` and the like; may be empty
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
