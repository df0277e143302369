#pragma once

#include <cstdint>
#include <string>

namespace perf::ratchet_replay {

enum class Noise { normal, student3, two_modes, lognormal };
std::string to_string(Noise noise);

/// Loops of attempts against a moving best, judged by the rule as it ships. In a hundred attempts
/// five are 2 to 5 % better and as many worse; the others change nothing.
struct Scenario {
  Noise noise = Noise::normal;
  double deviation = 0.01;  ///< between processes, ln
  int attempts = 300;
  int loops = 40;
  bool all_equal = false;     ///< no attempt changes anything
  bool all_at_bound = false;  ///< each is better by half of at-least: just what may not be accepted
  std::uint64_t seed = 31;
};

/// Means of a loop.
struct Outcome {
  double falsely_accepted = 0;  ///< attempts that are better by half of at-least or less
  double any_false = 0;         ///< share of the loops with one
  double claimed = 0, truly = 0,
         fresh = 0;    ///< gains, relative: summed estimates; true; measured anew
  double covered = 0;  ///< share of the loops whose true gain lies in the fresh interval
  double kept = 0;     ///< of the gain that there was, in ln
  double pairs = 0;    ///< those of fresh measurements included
};

Outcome run(const Scenario& scenario);

}  // namespace perf::ratchet_replay
