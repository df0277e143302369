#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "analyzer/samples/samples.h"
#include "analyzer/warnings/row_warnings.h"

namespace perf {
namespace {

// The kernel counts stolen time in ticks of a hundredth of a second: a few of them are rounding.
constexpr double kLeastSeconds = 0.05;
constexpr int kWidespreadFrom = 2;  // workloads

/// One way in which a machine gets in the way.
struct Trouble {
  WarningKind kind;
  std::optional<double> ProcessResult::*seconds;
  double Policy::*most;  ///< share of the wall time
};

constexpr Trouble kTroubles[] = {
    {WarningKind::steal, &ProcessResult::steal, &Policy::steal_share},
    {WarningKind::machine_pressure, &ProcessResult::cpu_pressure, &Policy::pressure_share},
};

struct Tally {
  double seconds = 0;  ///< of trouble
  double wall = 0;     ///< s of the processes of which it is known

  void add(const Tally& other) {
    seconds += other.seconds;
    wall += other.wall;
  }
  bool above(double most) const { return seconds >= kLeastSeconds && seconds > most * wall; }
};

Tally tally_of(const Trouble& trouble, const WorkloadSamples& samples) {
  Tally tally;
  for (const auto* invocations : {&samples.base, &samples.head}) {
    for (const Invocation* invocation : *invocations) {
      if (const std::optional<double>& seconds = invocation->process.*trouble.seconds) {
        tally.add({*seconds, invocation->process.wall});
      }
    }
  }
  return tally;
}

Warning warning_of(const Trouble& trouble, const Tally& tally, double most) {
  // The kernel's counters are read a little before and after the process they are compared with.
  const double share = std::min(tally.seconds / tally.wall, 1.0);
  return {trouble.kind, {{"share", share}, {"seconds", tally.seconds}, {"most", most}}};
}

using Facts = std::map<std::string, std::string>;

// Of the facts outside the fingerprint; those in it all do.
bool fact_of_machine_changes_timing(std::string_view fact) {
  return is_one_of(fact, {"aslr", "boost", "clock_source", "cpus_online", "governor",
                          "frequency_driver", "power", "smt", "thp"});
}

void compare(const Facts& begin, const Facts& end, bool all, std::vector<Warning>& warnings) {
  for (const Unlike& one : unlike(begin, end)) {
    if (all || fact_of_machine_changes_timing(one.name)) {
      warnings.push_back({WarningKind::environment_changed,
                          {},
                          {{"name", one.name}, {"before", one.base}, {"after", one.head}}});
    }
  }
}

}  // namespace

std::vector<Warning> machine_warnings(const WorkloadSamples& samples, const Policy& policy) {
  std::vector<Warning> warnings;
  for (const Trouble& trouble : kTroubles) {
    const Tally tally = tally_of(trouble, samples);
    if (tally.above(policy.*trouble.most)) {
      warnings.push_back(warning_of(trouble, tally, policy.*trouble.most));
    }
  }
  return warnings;
}

std::vector<Warning> machine_warnings(const Standing& standing, const Policy& policy) {
  std::vector<Warning> warnings;
  for (const Trouble& trouble : kTroubles) {
    Tally whole;
    int measured = 0, troubled = 0;
    for (const auto* some : {&standing.workloads, &standing.for_targets}) {
      for (const WorkloadStanding& workload : *some) {
        const Tally tally = tally_of(trouble, workload.samples);
        whole.add(tally);
        measured += tally.wall > 0 ? 1 : 0;
        troubled += tally.above(policy.*trouble.most) ? 1 : 0;
      }
    }
    if (troubled >= kWidespreadFrom && 2 * troubled >= measured) {
      Warning warning = warning_of(trouble, whole, policy.*trouble.most);
      warning.figures["workloads"] = troubled;
      warning.figures["measured"] = measured;
      warnings.push_back(std::move(warning));
    }
  }
  return warnings;
}

std::vector<Warning> environment_warnings(const Environment& begin, const Environment& end) {
  std::vector<Warning> warnings;
  compare(begin.machine, end.machine, true, warnings);
  compare(begin.facts, end.facts, false, warnings);
  return warnings;
}

}  // namespace perf
