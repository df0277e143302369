// How the subject's programs were built, and how numerical libraries use the processor.

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "analyzer/doctor/diagnosis_rules.h"
#include "schema/text/text_parts.h"

namespace perf {
namespace {

/// Programs by finding, in the order of their first.
using Groups = std::vector<std::pair<std::string, std::vector<std::string>>>;

void add(const std::string& said, const std::string& program, Groups& groups) {
  const auto known = std::ranges::find(groups, said, &Groups::value_type::first);
  if (known != groups.end()) {
    known->second.push_back(program);
  } else {
    groups.push_back({said, {program}});
  }
}

std::vector<Cause> programs(const MachineState& state) {
  std::vector<Cause> causes;
  if (state.programs.empty()) {
    causes.push_back(unknown("program", state.programs_problem));
  }
  Groups instrumented, slow, fine, problems;
  for (const ProgramState& program : state.programs) {
    for (const std::string& instrument : program.instruments) {
      add(instrument, program.path, instrumented);
    }
    const std::string type = program.build_type.value_or("");
    if (lower(type) == "debug" || lower(type) == "none") {
      add("CMAKE_BUILD_TYPE is " + type, program.path, slow);
    } else if (program.optimized == false) {
      add("compiled without optimization", program.path, slow);
    } else if (!program.problem.empty()) {
      add(program.problem, program.path, problems);
    } else if (program.instruments.empty()) {
      add("no sanitizer, coverage or profiling code" + (type.empty() ? "" : ", " + type),
          program.path, fine);
    }
  }
  for (const auto& [instrument, programs] : instrumented) {
    causes.push_back(bad("program", listed(programs) + ": built with " + instrument,
                         "this code takes more time and memory than the program",
                         "build the program without it"));
  }
  for (const auto& [what, programs] : slow) {
    causes.push_back(bad("program", listed(programs) + ": " + what,
                         "what is slow in a debug build may be fast in a release build",
                         "build with -DCMAKE_BUILD_TYPE=Release"));
  }
  for (const auto& [what, programs] : fine) {
    causes.push_back(good("program", listed(programs) + ": " + what));
  }
  for (const auto& [problem, programs] : problems) {
    causes.push_back(unknown("program", listed(programs) + ": " + problem));
  }
  return causes;
}

/// What OpenBLAS's kernels of that name compute with (its TargetList.txt); it writes some names in
/// several ways. Absent for other names.
std::optional<VectorUnit> unit_of_core(const std::string& core) {
  static const std::map<VectorUnit, std::set<std::string>> kCores{
      {VectorUnit::avx512, {"skylakex", "cooperlake", "sapphirerapids"}},
      {VectorUnit::avx2, {"haswell", "zen", "excavator"}},
      {VectorUnit::avx, {"sandybridge", "bulldozer", "piledriver", "steamroller"}},
      {VectorUnit::sse,
       {"prescott", "core2", "penryn", "dunnington", "nehalem", "atom", "barcelona", "bobcat",
        "opteron", "athlon"}}};
  for (const auto& [unit, cores] : kCores) {
    if (cores.contains(lower(core))) {
      return unit;
    }
  }
  return std::nullopt;
}

std::string name_of(VectorUnit unit) {
  constexpr std::array<const char*, 4> kNames{"SSE", "AVX", "AVX2", "AVX-512"};
  return kNames[static_cast<std::size_t>(unit)];
}

bool is_below(const std::string& core, VectorUnit processor) {
  const std::optional<VectorUnit> unit = unit_of_core(core);
  return unit && *unit < processor;
}

/// The core that a workload's OpenBLAS should choose on such a processor.
std::string best_core(VectorUnit processor) {
  return processor == VectorUnit::avx512 ? "SkylakeX"
         : processor == VectorUnit::avx2 ? "Haswell"
                                         : "Sandybridge";
}

/// The value of a fact -> the workloads that report it.
std::map<std::string, std::vector<std::string>> reported(const MachineState& state,
                                                         const std::string& fact) {
  std::map<std::string, std::vector<std::string>> values;
  for (const auto& [workload, facts] : state.workload_facts) {
    if (const auto found = facts.find(fact); found != facts.end()) {
      values[found->second].push_back(workload);
    }
  }
  return values;
}

Cause blas_core(const MachineState& state) {
  const std::string forced = value_or_empty(state.variables, "OPENBLAS_CORETYPE");
  if (!state.vector_unit) {
    return unknown("blas_core");
  }
  const std::string cpu = "this CPU has " + name_of(*state.vector_unit);
  const std::string why = "OpenBLAS uses half of the vector width, or less";
  const auto cores = reported(state, "blas_core");
  if (!forced.empty() && is_below(forced, *state.vector_unit)) {
    return bad("blas_core", "OPENBLAS_CORETYPE=" + forced + " is set, and " + cpu, why,
               "unset OPENBLAS_CORETYPE, or set it to " + best_core(*state.vector_unit));
  }
  for (const auto& [core, workloads] : cores) {
    if (is_below(core, *state.vector_unit)) {
      return bad("blas_core",
                 core + " in the latest stored run (" + listed(workloads) + "), and " + cpu, why,
                 "export OPENBLAS_CORETYPE=" + best_core(*state.vector_unit));
    }
  }
  if (!cores.empty()) {
    return good("blas_core", cores.begin()->first + (cores.size() > 1 ? " and others" : ""));
  }
  return forced.empty() ? unknown("blas_core", state.workload_facts_problem)
                        : good("blas_core", "OPENBLAS_CORETYPE=" + forced);
}

/// "4", and the first of "4,2" as OpenMP takes it for nested parts.
std::optional<int> thread_count(const std::string& text) {
  const auto count = parsed<int>(text.substr(0, text.find(',')));
  return count > 0 ? count : std::nullopt;
}

Cause threads(const MachineState& state) {
  if (!state.cores) {
    return unknown("threads");
  }
  const double limit = std::min<double>(*state.cores, state.cpu_quota.value_or(*state.cores));
  const std::string why = "there are more threads than CPUs, so they wait for each other";
  const std::string fits = cpus(limit);
  const std::string most = std::to_string(std::max(1, static_cast<int>(limit)));
  for (const auto& [name, value] : state.variables) {
    const auto count = name.ends_with("_NUM_THREADS") ? thread_count(value) : std::nullopt;
    if (count && *count > limit) {
      return bad("threads", name + "=" + value + " on " + fits, why,
                 "unset " + name + ", or set it to " + most + " or less");
    }
  }
  const auto counts = reported(state, "threads");
  for (const auto& [value, workloads] : counts) {
    const std::optional<int> count = thread_count(value);
    if (count && *count > limit) {
      return bad("threads",
                 value + " in the latest stored run (" + listed(workloads) + ") on " + fits, why,
                 "export OMP_NUM_THREADS=" + most);
    }
  }
  return counts.empty() ? unknown("threads", state.workload_facts_problem)
                        : good("threads", "no more than " + fits);
}

}  // namespace

std::vector<Cause> diagnose_programs(const MachineState& state) {
  std::vector<Cause> causes = programs(state);
  causes.push_back(blas_core(state));
  causes.push_back(threads(state));
  return causes;
}

}  // namespace perf
