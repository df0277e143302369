// What the kernel provides for measurements: memory, addresses, clocks, events.

#include "analyzer/doctor/diagnosis_rules.h"
#include "schema/text/wording.h"

namespace perf {
namespace {

constexpr double kMebibyte = 1024.0 * 1024;

Cause memory(const MachineState& state) {
  if (!state.memory_available || state.memory_total.value_or(0) <= 0) {
    return unknown("memory");
  }
  const double share =
      static_cast<double>(*state.memory_available) / static_cast<double>(*state.memory_total);
  const std::string what = percent(share) + " of memory is available";
  return graded(share >= kMemoryAvailable ? Severity::good : Severity::bad, "memory", what,
                "the kernel may swap, drop caches or kill processes",
                "stop programs that use memory, or use a machine with more");
}

Cause swap(const MachineState& state) {
  const std::string why = "reading a page from disk can take longer than a step";
  const std::int64_t pages = state.activity.pages_swapped.value_or(0);
  if (pages > 0) {
    return bad("swap", counted(pages, "page") + " swapped during the check", why,
               "stop programs that use memory, or use a machine with more");
  }
  if (!state.swap_used) {
    return unknown("swap");
  }
  if (*state.swap_used <= 0) {
    return good("swap", "none in use");
  }
  return note("swap",
              tenths(static_cast<double>(*state.swap_used) / kMebibyte) +
                  " MiB in use, no pages swapped during the check",
              why, as_root("swapoff -a && swapon -a, when enough memory is free"));
}

Cause huge_pages(const MachineState& state) {
  const std::string thp = fact_of(state, "thp");
  if (thp.empty()) {
    return unknown("thp");
  }
  return graded(thp == "always" ? Severity::note : Severity::good, "thp", thp,
                "whether a process gets huge pages varies, and with it speed and memory",
                as_root("echo madvise > /sys/kernel/mm/transparent_hugepage/enabled"));
}

Cause randomization(const MachineState& state) {
  const std::string why =
      "all runs share one memory layout, and its effect looks like a change of the code";
  if (state.no_randomization == true) {
    return bad("aslr", "off for this process", why, "start it without setarch -R");
  }
  const std::string aslr = fact_of(state, "aslr");
  const Remedy remedy = as_root("sysctl kernel.randomize_va_space=2");
  if (aslr == "0") {
    return bad("aslr", "off", why, remedy);
  }
  if (aslr == "1") {
    return note("aslr", "on, but not for the heap", why, remedy);
  }
  return aslr.empty() ? unknown("aslr") : good("aslr", "on");
}

Cause clock_source(const MachineState& state) {
  const std::string source = fact_of(state, "clock_source");
  if (source.empty()) {
    return unknown("clock_source");
  }
  if (source == "tsc" || source == "arch_sys_counter" || source == "timebase") {
    return good("clock_source", source);
  }
  const bool has_tsc =
      (" " + state.clock_sources.value_or("") + " ").find(" tsc ") != std::string::npos;
  const Remedy remedy =
      has_tsc ? as_root(
                    "echo tsc > "
                    "/sys/devices/system/clocksource/clocksource0/current_clocksource")
              : Remedy("none: the kernel or the host does not trust the processor's counter");
  if (source == "kvm-clock" || source == "hyperv_clocksource_tsc_page") {
    return note("clock_source", source, "reading it takes a little longer than reading tsc",
                remedy);
  }
  return bad("clock_source", source, "reading the clock is a system call of about a microsecond",
             remedy);
}

/// Where the kernel forbids events: its own setting, else what the container's filter lets through.
Remedy permission(const MachineState& state) {
  const std::string paranoid = fact_of(state, "perf_event_paranoid");
  const bool own_setting = !paranoid.empty() && paranoid != "2" && paranoid != "1" &&
                           paranoid != "0" && paranoid != "-1";
  return as_root(own_setting ? "sysctl kernel.perf_event_paranoid=2"
                             : "let the container use events (docker run --cap-add PERFMON)");
}

Cause counters(const MachineState& state) {
  if (!state.counters) {
    return unknown("counters");
  }
  const std::string why = "--count cannot use the processor's counters";
  switch (*state.counters) {
    case EventAccess::available:
      return good("counters", "instructions can be counted");
    case EventAccess::forbidden:
      return note("counters", "forbidden", why, permission(state));
    case EventAccess::absent:
      break;
  }
  return note("counters", "none: this machine has no performance counters", why,
              state.has_valgrind == true
                  ? Remedy("none needed: --count uses valgrind, which is installed")
                  : as_root("apt-get install valgrind; --count then uses it"));
}

Cause sampling(const MachineState& state) {
  if (!state.sampling) {
    return unknown("sampling");
  }
  const std::string why = "profile cannot measure the time of functions";
  if (*state.sampling == EventAccess::forbidden) {
    return note("sampling", "forbidden", why, permission(state));
  }
  if (*state.sampling == EventAccess::absent) {
    return note("sampling", "this kernel has no events", why,
                "a kernel with CONFIG_PERF_EVENTS, or a container that may use it");
  }
  return state.has_perf == false
             ? note("sampling", "perf is not installed", why,
                    as_root("apt-get install linux-perf (Ubuntu: linux-tools-generic)"))
             : good("sampling", "perf can sample by the CPU clock");
}

}  // namespace

std::vector<Cause> diagnose_kernel(const MachineState& state) {
  return {memory(state),       swap(state),     huge_pages(state), randomization(state),
          clock_source(state), counters(state), sampling(state)};
}

}  // namespace perf
