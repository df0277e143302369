#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace perf::bisect_replay {

/// Shapes of the noise of a pair's difference; `wild`: normal, but every twentieth pair ten times
/// as noisy; `bursts`: normal, but spells of about ten pairs, a third of the time, twenty times as
/// noisy.
enum class Noise { normal, student3, wild, bursts };
std::string to_string(Noise noise);

/// Histories of commits with known steps, bisected by the rule as it ships.
struct Scenario {
  std::string name;
  int commits = 512;
  std::vector<double> steps{0.02};  ///< ln; each at a commit drawn anew in every history
  std::vector<int> at{};            ///< where they are instead of drawn
  double deviation = 0.005;         ///< of a pair's difference, ln
  Noise noise = Noise::normal;
  double unbuildable = 0;   ///< share of the commits between the ends that cannot be measured
  double build_effect = 0;  ///< deviation of what each build moves its timings by, ln
  double threshold = 0.01;
  bool dear = false;  ///< GOOD and BAD have early looks
  int histories = 2000;
  std::uint64_t seed = 20240229;
};

struct Outcome {
  int histories = 0;
  int right = 0;                           ///< the answer holds a commit with a step
  int wrong = 0;                           ///< it does not
  int none = 0;                            ///< GOOD and BAD were not found to differ
  int certain = 0;                         ///< answers that the search itself calls certain
  double mean_pairs = 0, mean_visits = 0;  ///< pairs: of GOOD and BAD as well
  int median_pairs = 0, p95_pairs = 0, p99_pairs = 0, most_pairs = 0;
  int within_fifty = 0;  ///< histories that took 50 pairs at most
};

Outcome run(const Scenario& scenario);

/// The scenarios of docs/bisect.md.
std::vector<Scenario> documented();

}  // namespace perf::bisect_replay
