#pragma once

#include <cstdint>
#include <random>
#include <string>

namespace perf::replay {

/// Shapes of the noise of paired differences, all symmetric and scaled to the wanted deviation.
enum class Noise { student3, normal, laplace, two_modes, ticks, sticky };
std::string to_string(Noise noise);

/// Draws differences of such a shape.
class NoiseSource {
 public:
  NoiseSource(Noise noise, double deviation, std::uint64_t seed)
      : noise_(noise), deviation_(deviation), engine_(seed) {}

  double operator()();

 private:
  double mode() { return engine_() % 5 == 0 ? 1 : 0; }

  Noise noise_;
  double deviation_;
  std::mt19937_64 engine_;
  double last_ = 0;
  std::normal_distribution<double> normal_;
  std::exponential_distribution<double> exponential_;
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

}  // namespace perf::replay
