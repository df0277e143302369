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

/// Time, handed in so that tests need none.
struct Patience {
  std::function<double()> now;        ///< s, monotonic
  std::function<void(double)> sleep;  ///< s
};

/// Everything that `doctor` looks at about the machine, after watching it for `seconds`; programs
/// and workload_facts stay empty. Reads under sources.root; whether events can be opened is asked
/// of the kernel only where that is "/". Of environment variables an allow-list is read. Never
/// throws for what a source says.
MachineState read_machine_state(const ProbeSources& sources, double seconds,
                                const Patience& patience);

/// The random id of this host, 32 hexadecimal digits: it tells runners apart and names none. Kept
/// in the file `host` of a folder, where whoever comes first makes it, whole or not at all; where
/// it cannot be kept, a fresh one. A file that holds no id is replaced. Throws Error where the
/// kernel gives no random numbers.
std::string host_id(const std::filesystem::path& folder);

/// Which CI service runs us, and which job: ci_provider, ci_job, ci_run, ci_runner, ci_image, where
/// known. Asks for an allow-list of names and nothing else, because the variables of a CI job hold
/// its secrets.
std::map<std::string, std::string> read_ci(const GetVariable& variable);

/// Which attempt of its job this is, from 1; 1 where the CI service does not say.
int read_attempt(const GetVariable& variable);

/// The kind of container around us ("docker", "podman", "lxc", "kubernetes", "wsl"); empty outside
/// one, or where it hides well.
std::string read_container(const std::filesystem::path& root, const GetVariable& variable);

/// The container's image, where podman or GitLab tell it.
std::string read_container_image(const std::filesystem::path& root, const GetVariable& variable);

/// "debian 12", from etc/os-release (os-release(5)).
std::string read_distribution(const std::filesystem::path& root);

}  // namespace perf
