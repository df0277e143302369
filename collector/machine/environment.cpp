#include "collector/machine/environment.h"

#include <gnu/libc-version.h>
#include <sched.h>
#include <sys/utsname.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>
#include <utility>

#include "collector/machine/devices.h"
#include "collector/machine/readings.h"
#include "schema/error.h"
#include "schema/param.h"
#include "schema/text/fnv.h"
#include "schema/text/text_parts.h"

namespace perf {
namespace {

using Facts = std::map<std::string, std::string>;

std::optional<int> cores_of_affinity() {
  // The set must be as large as the kernel's, whose size is unknown: grow until it fits.
  for (int cpus = 1024; cpus <= 1024 * 1024; cpus *= 4) {
    cpu_set_t* set = CPU_ALLOC(cpus);
    const std::size_t size = CPU_ALLOC_SIZE(cpus);
    const bool fits = set != nullptr && sched_getaffinity(0, size, set) == 0;
    const int count = fits ? CPU_COUNT_S(size, set) : 0;
    CPU_FREE(set);
    if (fits) {
      return count;
    }
  }
  return std::nullopt;
}

/// CPUs, less where a control group allows less: "4", "1.5".
std::string cores_allowed(const ProbeSources& sources) {
  std::optional<double> cores = read_cpu_quota(sources.root);
  if (sources.system.cores) {
    cores = std::min<double>(*sources.system.cores, cores.value_or(*sources.system.cores));
  }
  return cores ? to_text(Param(std::round(std::min(*cores, 1e6) * 100) / 100)) : "";
}

/// The first line of a command's output; empty where it fails.
std::string first_line_of(const RunProcess& run_process, std::vector<std::string> command) {
  constexpr double kPatience = 20;  // s
  const ProcessRequest request{.command = std::move(command),
                               .directory = "/",
                               .environment = {{"LC_ALL", "C"}},
                               .timeout = kPatience};
  try {
    const ProcessResult result = run_process(request);
    return result.exit_code == 0 ? first_line(result.stdout_text) : "";
  } catch (const Error&) {  // a machine that starts no processes fails later, where it matters
    return "";
  }
}

/// The first line of `--version` of the compiler in CXX, or the default one.
std::string compiler_of(const ProbeSources& sources) {
  if (!sources.run_process) {
    return "";
  }
  std::vector<std::string> command;
  std::istringstream words(sources.variable("CXX").value_or(""));
  for (std::string word; words >> word;) {
    command.push_back(word);
  }
  if (command.empty()) {
    command = {"c++"};
  }
  command.push_back("--version");
  return first_line_of(sources.run_process, std::move(command));
}

/// A digest of what variables tell compilers, such as "CFLAGS=-O2": a change of it ends a series as
/// another compiler does. Values of variables may be secret, and are not stored.
std::string compiler_flags(const ProbeSources& sources) {
  std::string flags;
  for (const char* name :
       {"CC", "CXX", "CFLAGS", "CPPFLAGS", "CXXFLAGS", "LDFLAGS", "RUSTFLAGS", "GOFLAGS",
        "CARGO_ENCODED_RUSTFLAGS", "CARGO_BUILD_RUSTFLAGS", "CGO_CFLAGS", "CGO_CXXFLAGS",
        "CGO_LDFLAGS", "RUSTUP_TOOLCHAIN", "FFLAGS", "GOAMD64", "GOARM64"}) {
    const std::string value = sources.variable(name).value_or("");
    flags += value.empty() ? "" : (flags.empty() ? "" : " ") + std::string(name) + '=' + value;
  }
  return flags.empty() ? "" : hexadecimal(fnv1a_64(flags));
}

/// The machine's C library; a static program must run getconf.
std::string libc_of(const ProbeSources& sources) {
  if (!sources.system.libc.empty() || !sources.run_process) {
    return sources.system.libc;
  }
  return first_line_of(sources.run_process, {"getconf", "GNU_LIBC_VERSION"});
}

/// The chosen one of "always [madvise] never".
std::string bracketed(const std::string& choices) {
  const std::size_t open = choices.find('['), close = choices.find(']');
  const bool chosen = open != std::string::npos && close != std::string::npos && open < close;
  return chosen ? choices.substr(open + 1, close - open - 1) : "";
}

/// "mains" where a power supply is online, "battery" where all are offline.
std::string power_of(const std::filesystem::path& root) {
  std::string power;
  std::error_code error;
  for (std::filesystem::directory_iterator it(root / "sys/class/power_supply", error), end;
       !error && it != end; it.increment(error)) {
    const std::string online = read_line_of(it->path() / "online");
    if (online == "1") {
      return "mains";
    }
    if (online == "0") {
      power = "battery";
    }
  }
  return power;
}

std::string bytes_text(const std::optional<std::int64_t>& bytes) {
  return bytes ? std::to_string(*bytes) : "";
}

Facts read_machine(const ProbeSources& sources, std::string_view meminfo) {
  const Processor processor = parse_cpuinfo(read_small_file(sources.root / "proc/cpuinfo"));
  Facts machine;
  put_fact(machine, "cpu_model", processor.model);
  put_fact(machine, "microcode", processor.microcode);
  put_fact(machine, "cores_allowed", cores_allowed(sources));
  if (const std::optional<std::int64_t> total = parse_meminfo(meminfo, "MemTotal")) {
    // Rounded to GiB, because the kernel's own share varies a little between boots.
    constexpr double kGib = 1024.0 * 1024.0 * 1024.0;
    machine["memory_gib"] = std::to_string(std::llround(static_cast<double>(*total) / kGib));
  }
  put_fact(machine, "hypervisor", hypervisor_of(sources.root, sources.system.hypervisor, processor));
  put_fact(machine, "kernel", major_minor(sources.system.kernel_release));
  put_fact(machine, "distribution", read_distribution(sources.root));
  put_fact(machine, "libc", libc_of(sources));
  put_fact(machine, "container_image", read_container_image(sources.root, sources.variable));
  put_fact(machine, "compiler", compiler_of(sources));
  put_fact(machine, "compiler_flags", compiler_flags(sources));
  put_fact(machine, "pool", sources.variable("PERF_COMPARE_POOL").value_or(""));
  return machine;
}

Facts read_facts(const ProbeSources& sources, std::string_view meminfo) {
  const std::filesystem::path& root = sources.root;
  Facts facts = read_processor_settings(root);
  put_fact(facts, "kernel_release", sources.system.kernel_release);
  put_fact(facts, "architecture", sources.system.architecture);
  put_fact(facts, "thp",
           bracketed(read_line_of(root / "sys/kernel/mm/transparent_hugepage/enabled")));
  put_fact(facts, "aslr", read_line_of(root / "proc/sys/kernel/randomize_va_space"));
  put_fact(facts, "perf_event_paranoid",
           read_line_of(root / "proc/sys/kernel/perf_event_paranoid"));
  put_fact(facts, "load_average", read_line_of(root / "proc/loadavg"));
  put_fact(facts, "memory_available", bytes_text(parse_meminfo(meminfo, "MemAvailable")));
  put_fact(facts, "swap_total", bytes_text(parse_meminfo(meminfo, "SwapTotal")));
  put_fact(facts, "power", power_of(root));
  put_fact(facts, "container", read_container(root, sources.variable));
  facts.merge(read_ci(sources.variable));
  return facts;
}

}  // namespace

ProbeSources this_machine(RunProcess run_process) {
  ProbeSources sources;
  SystemCalls& system = sources.system;
  utsname names{};
  if (uname(&names) == 0) {
    system.kernel_release = names.release;
    system.architecture = names.machine;
  }
#ifndef PERF_COMPARE_STATIC
  system.libc = std::string("glibc ") + gnu_get_libc_version();
#endif
  system.cores = cores_of_affinity();
  system.hypervisor = hypervisor_signature();
  sources.variable = environment_variable;
  sources.run_process = std::move(run_process);
  return sources;
}

Environment probe_environment(const ProbeSources& sources) {
  return probe_environment(sources, find_devices(sources));
}

Environment probe_environment(const ProbeSources& sources, const FoundDevices& devices) {
  const std::string meminfo = read_small_file(sources.root / "proc/meminfo");
  Environment environment;
  environment.machine = read_machine(sources, meminfo);
  environment.facts = read_facts(sources, meminfo);
  put_device_facts(devices, sources.root, environment.machine, environment.facts);
  environment.fingerprint = fingerprint_of(environment.machine);
  return environment;
}

std::string fingerprint_of(const std::map<std::string, std::string>& machine) {
  std::uint64_t hash = fnv1a_64("");
  for (const auto& [name, value] : machine) {
    for (const std::string& text : {name, value}) {
      hash = fnv1a_64(std::to_string(text.size()) + ':' + text, hash);
    }
  }
  return hexadecimal(hash);
}

}  // namespace perf
