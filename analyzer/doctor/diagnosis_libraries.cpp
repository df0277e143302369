// How numerical libraries use the processor.

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <map>

#include "analyzer/doctor/diagnosis_rules.h"

namespace perf {
namespace {

/// What OpenBLAS's kernels of that name compute with (its TargetList.txt); it writes some names in
/// several ways. Absent for names that say nothing here.
std::optional<VectorUnit> unit_of_core(std::string core) {
  static const std::map<std::string, VectorUnit> kCores{{"skylakex", VectorUnit::avx512},
                                                        {"cooperlake", VectorUnit::avx512},
                                                        {"sapphirerapids", VectorUnit::avx512},
                                                        {"haswell", VectorUnit::avx2},
                                                        {"zen", VectorUnit::avx2},
                                                        {"excavator", VectorUnit::avx2},
                                                        {"sandybridge", VectorUnit::avx},
                                                        {"bulldozer", VectorUnit::avx},
                                                        {"piledriver", VectorUnit::avx},
                                                        {"steamroller", VectorUnit::avx},
                                                        {"prescott", VectorUnit::sse},
                                                        {"core2", VectorUnit::sse},
                                                        {"penryn", VectorUnit::sse},
                                                        {"dunnington", VectorUnit::sse},
                                                        {"nehalem", VectorUnit::sse},
                                                        {"atom", VectorUnit::sse},
                                                        {"barcelona", VectorUnit::sse},
                                                        {"bobcat", VectorUnit::sse},
                                                        {"opteron", VectorUnit::sse},
                                                        {"athlon", VectorUnit::sse}};
  std::transform(core.begin(), core.end(), core.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto known = kCores.find(core);
  return known != kCores.end() ? std::optional<VectorUnit>(known->second) : std::nullopt;
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

Finding blas_core(const MachineState& state) {
  const auto set = state.variables.find("OPENBLAS_CORETYPE");
  const std::string forced = set != state.variables.end() ? set->second : "";
  if (!state.vector_unit) {
    return unknown("blas_core");
  }
  const std::string cpu = "this CPU has " + name_of(*state.vector_unit);
  const std::string why = "OpenBLAS computes with half the width, or less, of what is there";
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
  int count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  const bool whole = end == text.data() + text.size() || *end == ',';
  return error == std::errc() && whole && count > 0 ? std::optional<int>(count) : std::nullopt;
}

Finding threads(const MachineState& state) {
  if (!state.cores) {
    return unknown("threads");
  }
  const double limit = std::min<double>(*state.cores, state.cpu_quota.value_or(*state.cores));
  const std::string why = "more threads than CPUs take turns, and wait for the one that is out";
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

void diagnose_libraries(const MachineState& state, std::vector<Finding>& findings) {
  findings.push_back(blas_core(state));
  findings.push_back(threads(state));
}

}  // namespace perf
