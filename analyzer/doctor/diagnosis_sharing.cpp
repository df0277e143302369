// Other users of the CPUs: other processes, other guests, a quota, the other thread of a core.

#include <algorithm>
#include <cmath>

#include "analyzer/doctor/diagnosis_rules.h"
#include "schema/text/text_parts.h"
#include "schema/text/wording.h"

namespace perf {
namespace {

Severity graded_by(double share, double note_from, double bad_from) {
  return share >= bad_from ? Severity::bad : share >= note_from ? Severity::note : Severity::good;
}

std::string names_of(const std::vector<BusyProcess>& processes) {
  std::string names;
  for (const BusyProcess& one : processes) {
    names += (names.empty() ? ": " : ", ") + one.name + " " + tenths(one.cores);
  }
  return names;
}

/// Of the last minute: "0.84 1.18 0.57 3/86 7051".
std::optional<double> load_average(const MachineState& state) {
  const std::string text = fact_of(state, "load_average");
  const auto load = parsed<double>(text.substr(0, text.find(' ')));
  return load && std::isfinite(*load) ? load : std::nullopt;
}

Cause load(const MachineState& state) {
  const MachineActivity& now = state.activity;
  if (!now.busy_share || !now.cpus) {
    return unknown("load");
  }
  const std::string of = tenths(*now.busy_share * *now.cpus) + " of " +
                         counted(static_cast<std::size_t>(*now.cpus), "core");
  if (*now.busy_share >= kBusyNote) {
    return graded(graded_by(*now.busy_share, kBusyNote, kBusyBad), "load",
                  of + " busy with other work" + names_of(now.busiest),
                  "other work takes CPU time and cache from the program",
                  "wait until it ends, or stop it");
  }
  const std::optional<double> average = load_average(state);
  if (average && *average >= kLoadNote * *now.cpus) {
    return note("load",
                "idle now, but the load average of the last minute is " + tenths(*average) +
                    " on " + counted(static_cast<std::size_t>(*now.cpus), "core"),
                "another program runs from time to time", "find it with top");
  }
  return good("load", of + " busy");
}

Cause cpu_pressure(const MachineState& state) {
  const std::optional<double>& share = state.activity.cpu_pressure;
  if (!share) {
    return unknown("cpu_pressure");
  }
  return graded(graded_by(*share, kPressureNote, kPressureBad), "cpu_pressure",
                "tasks waited for a CPU for " + percent(*share) + " of the time",
                "there are more tasks than CPUs, so the program waits too",
                "wait until other work ends");
}

Cause steal(const MachineState& state) {
  if (fact_of(state, "hypervisor") == "none") {
    return good("steal", "no hypervisor to take CPU time");
  }
  const std::optional<double>& now = state.activity.steal_share;
  const std::optional<double>& ever = state.steal_since_boot;
  if (!now && !ever) {
    return unknown("steal");
  }
  const std::string lately = now ? percent(*now) + " of the CPU time during the check" : "";
  const std::string since = ever ? percent(*ever) + " of the requested CPU time since boot" : "";
  const Severity worse =
      std::min(graded_by(now.value_or(0), kStealNote, kStealBad),
               graded_by(ever.value_or(0), kStealSinceBootNote, kStealSinceBootBad));
  return graded(worse, "steal", "the hypervisor took " + lately + (now && ever ? ", " : "") + since,
                "the host shares its CPUs with other guests, so steps stop at random",
                "use a host or instance type with dedicated CPUs");
}

Cause cpu_quota(const MachineState& state) {
  if (!state.cpu_quota) {
    return good("cpu_quota", "none found");
  }
  const std::string quota = "a quota of " + cpus(*state.cpu_quota);
  if (state.cores && *state.cpu_quota >= *state.cores) {
    return good("cpu_quota", quota + ", not below the cores");
  }
  const std::string on =
      state.cores ? " on " + counted(static_cast<std::size_t>(*state.cores), "core") : "";
  return bad("cpu_quota", quota + on,
             "when it is used up, all threads stop until the next period (usually 0.1 s)",
             as_root("assign whole CPUs (docker --cpuset-cpus 0,1 without --cpus), or use no more "
                     "threads than the quota has CPUs"));
}

Cause throttling(const MachineState& state) {
  const std::int64_t now = state.activity.throttled.value_or(0);
  const std::string why = "each stop adds tens of ms to whichever side is running";
  const Remedy remedy = as_root("raise the quota, or use fewer threads");
  if (now > 0) {
    return bad("throttling",
               "the quota stopped this process's group " +
                   counted(static_cast<std::size_t>(now), "time") + " during the check",
               why, remedy);
  }
  if (!state.throttling) {
    return state.cpu_quota ? unknown("throttling") : good("throttling", "no quota");
  }
  if (state.throttling->throttled == 0) {
    return good("throttling", "the quota has stopped nothing");
  }
  return note("throttling",
              "the quota has stopped this process's group in " +
                  std::to_string(state.throttling->throttled) + " of " +
                  counted(static_cast<std::size_t>(state.throttling->periods), "period") +
                  " so far",
              why, remedy);
}

Cause virtual_machine(const MachineState& state) {
  const std::string hypervisor = fact_of(state, "hypervisor");
  if (hypervisor.empty()) {
    return unknown("virtual_machine");
  }
  if (hypervisor == "none") {
    return good("virtual_machine", "no: bare metal");
  }
  return note("virtual_machine", "yes (" + hypervisor + ")",
              "other guests share caches, memory bandwidth and clock, and are not visible here",
              "use a bare-metal or dedicated host, or allow more pairs (--budget)");
}

Cause smt(const MachineState& state) {
  const std::string active = fact_of(state, "smt");
  if (active == "off") {
    return good("smt", "off, as far as this machine reports");
  }
  return active == "on"
             ? note("smt", "on", "two threads share a core: each is slower and noisier than alone",
                    as_root("echo off > /sys/devices/system/cpu/smt/control; without root, taskset "
                            "to one thread of each core"))
             : unknown("smt");
}

Cause numa(const MachineState& state) {
  if (!state.numa_nodes) {
    return unknown("numa");
  }
  if (*state.numa_nodes == 1) {
    return good("numa", "one node, or pinned to one");
  }
  return bad("numa", "not pinned: free to run on " + std::to_string(*state.numa_nodes) + " nodes",
             "memory is local in one process and remote in the next",
             "numactl --cpunodebind=0 --membind=0 perf-compare ...");
}

}  // namespace

std::vector<Cause> diagnose_sharing(const MachineState& state) {
  return {load(state),       cpu_pressure(state),    steal(state), cpu_quota(state),
          throttling(state), virtual_machine(state), smt(state),   numa(state)};
}

}  // namespace perf
