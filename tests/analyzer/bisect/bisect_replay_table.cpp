// Prints the table of docs/bisect.md: how often a bisection is right, and what it costs.
//
//   bisect_replay [HISTORIES]     histories per row, 2000 by default

#include <cstdio>
#include <cstdlib>

#include "tests/analyzer/bisect/bisect_replay.h"

int main(int argc, char** argv) {
  std::printf(
      "| history | noise | right | wrong | no step seen | pairs: mean | 95 %% | 99 %% | most | at "
      "most 50 | commits measured |\n|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (perf::bisect_replay::Scenario scenario : perf::bisect_replay::documented()) {
    if (argc > 1) {
      scenario.histories = std::atoi(argv[1]);
    }
    const perf::bisect_replay::Outcome outcome = perf::bisect_replay::run(scenario);
    const double share = 100.0 / scenario.histories;
    std::printf(
        "| %s | %s | %.2f %% | %.2f %% | %.2f %% | %.1f | %d | %d | %d | %.2f %% | %.1f |\n",
        scenario.name.c_str(), to_string(scenario.noise).c_str(), share * outcome.right,
        share * outcome.wrong, share * outcome.none, outcome.mean_pairs, outcome.p95_pairs,
        outcome.p99_pairs, outcome.most_pairs, share * outcome.within_fifty, outcome.mean_visits);
    std::fflush(stdout);
  }
  return 0;
}
