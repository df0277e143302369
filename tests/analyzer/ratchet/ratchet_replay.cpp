#include "tests/analyzer/ratchet/ratchet_replay.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <span>
#include <vector>

#include "analyzer/ratchet/attempt.h"
#include "analyzer/statistics/shift.h"
#include "schema/policy.h"

namespace perf::ratchet_replay {
namespace {

constexpr double kAlpha = 0.01, kAtLeast = 0.01;
constexpr int kFreshPairs = 20, kFreshEvery = 5;
constexpr std::size_t kMostResiduals = 400;

class World {
 public:
  explicit World(const Scenario& scenario) : scenario_(scenario), engine_(scenario.seed) {}

  /// ln(best/head) of so many pairs.
  std::vector<double> gains(double truth, int pairs) {
    std::vector<double> values;
    for (int i = 0; i < pairs; ++i) {
      values.push_back(truth + process() - process());
    }
    return values;
  }

  double effect() {
    if (scenario_.all_equal || scenario_.all_at_bound) {
      return scenario_.all_equal ? 0 : std::log1p(kAtLeast / 2);
    }
    const double place = uniform_(engine_), size = std::log1p(0.02 + 0.03 * uniform_(engine_));
    return place < 0.05 ? size : place > 0.95 ? -size : 0;
  }

 private:
  double process() {
    const double sd = scenario_.deviation;
    switch (scenario_.noise) {
      case Noise::student3: {
        const double a = normal_(engine_), b = normal_(engine_), c = normal_(engine_);
        return sd / std::sqrt(3.0) * normal_(engine_) / std::sqrt((a * a + b * b + c * c) / 3);
      }
      case Noise::two_modes:
        return sd * ((uniform_(engine_) < 0.5 ? 2 : 0) + 0.1 * normal_(engine_));
      case Noise::lognormal:
        return sd * std::exp(normal_(engine_)) / 2.16;
      case Noise::normal:
        break;
    }
    return sd * normal_(engine_);
  }

  const Scenario& scenario_;
  std::mt19937_64 engine_;
  std::normal_distribution<double> normal_;
  std::uniform_real_distribution<double> uniform_;
};

std::span<const double> newest(const std::vector<double>& residuals) {
  return std::span(residuals).last(std::min(residuals.size(), kMostResiduals));
}

}  // namespace

std::string to_string(Noise noise) {
  return noise == Noise::normal      ? "normal"
         : noise == Noise::student3  ? "t, 3 degrees of freedom"
         : noise == Noise::two_modes ? "two modes"
                                     : "lognormal";
}

Outcome run(const Scenario& scenario) {
  World world(scenario);
  const Bounds bounds = bounds_for(kAtLeast, Policy{});
  Outcome mean;
  double available = 0, kept = 0;
  const double share = 1.0 / scenario.loops;
  for (int loop = 0; loop < scenario.loops; ++loop) {
    std::vector<double> residuals;
    double claimed = 0, truly = 0;
    int accepted = 0, falsely = 0, pairs = 0;
    for (int attempt = 1; attempt <= scenario.attempts; ++attempt) {
      const double effect = world.effect();
      available += std::max(effect, 0.0);
      const std::vector<double> gains = world.gains(effect, kMostAttemptPairs);
      const AttemptStanding standing =
          attempt_standing(gains, newest(residuals), attempt_level(kAlpha, attempt), bounds);
      const auto seen = std::span(gains).first(static_cast<std::size_t>(standing.evidence.pairs));
      pairs += standing.evidence.pairs;
      for (const double residual :
           residuals_of(seen.first(std::min<std::size_t>(seen.size(), 8)))) {
        residuals.push_back(residual);
      }
      if (standing.answer == AttemptAnswer::proven) {
        claimed += standing.evidence.estimate;
        truly += effect;
        falsely += effect <= bounds.significant ? 1 : 0;
        pairs += ++accepted % kFreshEvery == 0 ? kFreshPairs : 0;
      }
    }
    const double level = 0.06 / (std::numbers::pi * std::numbers::pi);  // of the first report
    const Shift fresh = *estimate_shift(world.gains(truly, kFreshPairs), level);
    mean.falsely_accepted += share * falsely;
    mean.any_false += falsely > 0 ? share : 0;
    mean.claimed += share * claimed;
    mean.truly += share * truly;
    mean.fresh += share * fresh.estimate;
    mean.covered += fresh.low <= truly && truly <= fresh.high ? share : 0;
    mean.pairs += share * (pairs + kFreshPairs);
    kept += truly;
  }
  mean.kept = available > 0 ? kept / available : 0;
  for (double* gain : {&mean.claimed, &mean.truly, &mean.fresh}) {
    *gain = std::expm1(*gain);
  }
  return mean;
}

}  // namespace perf::ratchet_replay
