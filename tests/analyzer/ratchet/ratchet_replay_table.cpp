// Prints the table of docs/ratchet.md: BUILD/tests/ratchet_replay [LOOPS], 150 by default.

#include <cstdio>
#include <cstdlib>

#include "tests/analyzer/ratchet/ratchet_replay.h"

int main(int argc, char** argv) {
  using perf::ratchet_replay::Noise;
  using perf::ratchet_replay::Scenario;
  const int loops = argc > 1 ? std::atoi(argv[1]) : 150;
  if (loops < 1) {
    std::fprintf(stderr, "ratchet_replay: '%s' is no number of loops\n", argv[1]);
    return 2;
  }
  std::printf(
      "%d loops of 300 attempts: 5 %% are 2 to 5 %% better, 5 %% as much worse\n\n"
      "| noise of a process | deviation | false acceptances a loop | loops with any | gain "
      "claimed, "
      "true, measured anew | true gain in its interval | gain kept | pairs |\n"
      "|---|---|---|---|---|---|---|---|\n",
      loops);
  for (const Noise noise : {Noise::normal, Noise::student3, Noise::two_modes, Noise::lognormal}) {
    for (const double deviation : {0.01, 0.03}) {
      Scenario scenario;
      scenario.noise = noise;
      scenario.deviation = deviation;
      scenario.loops = loops;
      const auto outcome = perf::ratchet_replay::run(scenario);
      std::printf("| %s | %.0f %% | %.3f | %.3f | %.1f, %.1f, %.1f %% | %.3f | %.0f %% | %.0f |\n",
                  to_string(noise).c_str(), 100 * deviation, outcome.falsely_accepted,
                  outcome.any_false, 100 * outcome.claimed, 100 * outcome.truly,
                  100 * outcome.fresh, outcome.covered, 100 * outcome.kept, outcome.pairs);
      std::fflush(stdout);
      scenario.all_equal = true;
      const double nulls = perf::ratchet_replay::run(scenario).any_false;
      scenario.all_equal = false;
      scenario.all_at_bound = true;
      std::printf(
          "| the same, all equal; all better by half of at-least | | | %.3f; %.3f | | | | |\n",
          nulls, perf::ratchet_replay::run(scenario).any_false);
      std::fflush(stdout);
    }
  }
  return 0;
}
