#pragma once

#include <cstdint>
#include <random>
#include <string>

namespace perf::replay {

/// Shapes of the noise of paired differences, all symmetric. The first ones are scaled to the
/// wanted deviation; those from `uniform` on are made of two processes, of which it is the scale
/// (of modes the distance).
enum class Noise {
  student3,
  normal,
  laplace,
  two_modes,
  ticks,
  sticky,
  uniform,
  student2,
  lognormal,
  outliers,  ///< 15 % of the processes are 5 to 50 times the scale slower
  modes_10,  ///< a process in ten is slower
  modes_30,
  modes_50,
  three_modes,
  side_sticky,  ///< head's processes have a first-order autoregression of .7: no part of the
                ///< promise
  head_mode,    ///< half of head's processes are slower: no part of the promise
};
std::string to_string(Noise noise);

/// Draws differences of such a shape.
class NoiseSource {
 public:
  NoiseSource(Noise noise, double deviation, std::uint64_t seed)
      : noise_(noise), deviation_(deviation), engine_(seed) {}

  double operator()();

 private:
  double mode() { return engine_() % 5 == 0 ? 1 : 0; }
  double process();

  Noise noise_;
  double deviation_;
  std::mt19937_64 engine_;
  double last_ = 0;
  std::normal_distribution<double> normal_;
  std::exponential_distribution<double> exponential_;
  std::uniform_real_distribution<double> uniform_;
};

/// Reports of independent comparisons with a known true change, judged by the rule as it ships.
struct Scenario {
  Noise noise = Noise::student3;
  double deviation = 0.02;  ///< of a paired difference, ln
  double threshold = 0.10;
  double change = 0;     ///< true change, in units of the threshold
  int comparisons = 24;  ///< m
  int reports = 3000;
  double alpha = 0.01;
  int pairs = 0;          ///< more than 0: known beforehand, and looked at once
  int given = 0;          ///< more than 0: there are no more than so many, for all of the looks
  bool complete = false;  ///< all of them are there before the first look
  double carry_over = 0;  ///< ln: by so much base slows the process after it
  std::uint64_t seed = 20240229;
};

struct Outcome {
  int reports = 0;
  int reports_with_regressed = 0;
  int reports_with_improved = 0;
  int reports_with_unchanged = 0;
  double regressed = 0, unchanged = 0, inconclusive = 0;  ///< shares of the comparisons
  double mean_pairs = 0;
  double order_matters = 0;  ///< share of the comparisons without a verdict for the order
};

Outcome run(const Scenario& scenario);

/// How many of the replayed comparisons are wrong: *changed* where nothing changed, *regressed* at
/// half the threshold, *unchanged* at the threshold.
struct Errors {
  int early = 0;   ///< at an early look
  int with = 0;    ///< by the whole rule with early looks
  int before = 0;  ///< by the ordinary looks alone
};

/// The earlier runs of a comparison: five sessions of six pairs with its noise; with that noise at
/// another scale, of which the logarithm is normal with deviation 1.
enum class History { none, alike, unlike };

/// Comparisons of dear pairs, each as one of `judged`; `scale`: of the noise, in thresholds. With a
/// history only the early looks are taken.
Errors early_errors(Noise noise, double scale, double change, int judged, int replays,
                    History history = History::none);

/// The pairs that half of 1,001 comparisons take, normal noise.
int median_pairs(double scale, double change, int judged, bool dear,
                 History history = History::none);

}  // namespace perf::replay
