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
      "%d loops of 300 attempts: 5 %% are 2 to 5 %% better, 5 %% as much worse; also all equal, "
      "and "
      "all better by half of at-least\n\n"
      "| noise of a process | deviation, %% | loops with a false acceptance (all equal; all at "
      "half) | gain claimed, true, measured anew, %% | true gain in its interval, %% | gain kept, "
      "%% | pairs |\n"
      "|---|---|---|---|---|---|---|\n",
      loops);
  for (const Noise noise : {Noise::normal, Noise::student3, Noise::two_modes, Noise::lognormal}) {
    for (const double deviation : {0.01, 0.03}) {
      Scenario scenario;
      scenario.noise = noise;
      scenario.deviation = deviation;
      scenario.loops = loops;
      const auto outcome = perf::ratchet_replay::run(scenario);
      scenario.all_equal = true;
      const double equal = perf::ratchet_replay::run(scenario).any_false;
      scenario.all_equal = false;
      scenario.all_at_bound = true;
      const double at_half = perf::ratchet_replay::run(scenario).any_false;
      std::printf("| %s | %.0f | %g (%g; %g) | %.1f, %.1f, %.1f | %.1f | %.0f | %.0f |\n",
                  to_string(noise).c_str(), 100 * deviation, outcome.any_false, equal, at_half,
                  100 * outcome.claimed, 100 * outcome.truly, 100 * outcome.fresh,
                  100 * outcome.covered, 100 * outcome.kept, outcome.pairs);
      std::fflush(stdout);
    }
  }
  return 0;
}
