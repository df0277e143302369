#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "collector/process/process.h"
#include "collector/this_process.h"
#include "schema/environment.h"
#include "schema/machine_state.h"

namespace perf {

/// Facts that the kernel and the C library provide by calls instead of files; empty: unknown.
struct SystemCalls {
  std::string kernel_release;  ///< uname -r
  std::string architecture;    ///< uname -m
  std::string libc;            ///< "glibc 2.36"; empty in a static program, which has its own
  std::optional<int> cores;    ///< CPUs that this process may run on
  std::string hypervisor;      ///< the signature of CPUID: "KVMKVMKVM"
};

/// The sources of the probe, as parameters so that tests can describe a machine.
struct ProbeSources {
  std::filesystem::path root = "/";  ///< holds proc/, sys/, etc/, run/
  SystemCalls system;
  /// A variable of the environment; only names of an allow-list are read.
  GetVariable variable = [](const std::string&) { return std::optional<std::string>(); };
  RunProcess run_process;  ///< for `c++ --version` and the like; may be empty
};

/// This machine, with this process's variables.
ProbeSources this_machine(RunProcess run_process);

/// Reads what influences timings apart from the code. Unknown facts are absent. Every value is one
/// line of valid text of at most 200 B, whatever the source contains. Never throws for the content
/// of a source.
Environment probe_environment(const ProbeSources& sources);

/// The fingerprint of machine facts: FNV-1a (64 bit, 16 hexadecimal digits) over the
/// length-prefixed names and values in the map's order. The same facts give the same text on every
/// platform and in every version of this tool.
std::string fingerprint_of(const std::map<std::string, std::string>& machine);

/// Time, as a parameter so that tests need not wait.
struct Patience {
  std::function<double()> now;        ///< s, monotonic
  std::function<void(double)> sleep;  ///< s
};

/// Everything that `doctor` checks about the machine, after watching it for `seconds`; without
/// programs and workload_facts. Reads under sources.root; tries to open events only where that is
/// "/". Reads an allow-list of environment variables. Never throws for the content of a source.
MachineState read_machine_state(const ProbeSources& sources, double seconds,
                                const Patience& patience);

/// The random id of this host, 32 hexadecimal digits: it distinguishes runners without identifying
/// them. Kept in the file `host` of a folder, created atomically by the first process; a new id
/// each time where it cannot be kept. An invalid file is replaced. Throws Error where the kernel
/// provides no random numbers.
std::string host_id(const std::filesystem::path& folder);

/// The CI service and its job: ci_provider, ci_job, ci_run, ci_runner, ci_image, where known. Reads
/// only an allow-list of variables, because those of a CI job contain its secrets.
std::map<std::string, std::string> read_ci(const GetVariable& variable);

/// The number of the job's attempt, from 1; 1 where the CI service does not provide it.
int read_attempt(const GetVariable& variable);

/// The kind of container that this process is in ("docker", "podman", "lxc", "kubernetes", "wsl");
/// empty where none is detected.
std::string read_container(const std::filesystem::path& root, const GetVariable& variable);

/// The container's image, where podman or GitLab provide it.
std::string read_container_image(const std::filesystem::path& root, const GetVariable& variable);

/// "debian 12", from etc/os-release (os-release(5)).
std::string read_distribution(const std::filesystem::path& root);

}  // namespace perf
