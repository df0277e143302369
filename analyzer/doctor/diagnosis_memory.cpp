// Memory that runs short, and pages of changing size.

#include "analyzer/doctor/diagnosis_rules.h"
#include "schema/wording.h"

namespace perf {
namespace {

constexpr double kMebibyte = 1024.0 * 1024;

Finding memory(const MachineState& state, const DiagnosisLimits& limits) {
  if (!state.memory_available || state.memory_total.value_or(0) <= 0) {
    return unknown("memory");
  }
  const double share =
      static_cast<double>(*state.memory_available) / static_cast<double>(*state.memory_total);
  const std::string what = percent(share) + " of memory is free to use";
  return share >= limits.memory_available
             ? good("memory", what)
             : bad("memory", what, "the kernel swaps, drops caches, or kills what asks for more",
                   "end what takes the memory, or take a machine with more");
}

Finding swap(const MachineState& state) {
  const std::string why = "waiting for a page from disk takes longer than many a step";
  const std::int64_t pages = state.activity.pages_swapped.value_or(0);
  if (pages > 0) {
    return bad("swap",
               counted(static_cast<std::size_t>(pages), "page") +
                   " moved to or from disk while it was watched",
               why, "end what takes the memory, or take a machine with more");
  }
  if (!state.swap_used) {
    return unknown("swap");
  }
  if (*state.swap_used <= 0) {
    return good("swap", "none in use");
  }
  return note("swap",
              tenths(static_cast<double>(*state.swap_used) / kMebibyte) +
                  " MiB in use, not moving just now",
              why, as_root("swapoff -a && swapon -a, once memory suffices"));
}

Finding huge_pages(const MachineState& state) {
  const std::string thp = fact_of(state, "thp");
  if (thp.empty()) {
    return unknown("thp");
  }
  return thp == "always"
             ? note("thp", "always",
                    "whether memory gets huge pages is luck: speed and memory come in two sizes",
                    as_root("echo madvise > /sys/kernel/mm/transparent_hugepage/enabled"))
             : good("thp", thp);
}

}  // namespace

void diagnose_memory(const MachineState& state, const DiagnosisLimits& limits,
                     std::vector<Finding>& findings) {
  findings.push_back(memory(state, limits));
  findings.push_back(swap(state));
  findings.push_back(huge_pages(state));
}

}  // namespace perf
