#include "tests/analyzer/statistics/session_replay.h"

#include <cmath>
#include <random>
#include <vector>

#include "analyzer/rule/decision.h"
#include "analyzer/statistics/shift.h"

namespace perf::replay {
namespace {

constexpr int kForgotten = 40;  ///< sessions before the first, so that none is special

class Sessions {
 public:
  explicit Sessions(const SessionScenario& scenario)
      : scenario_(scenario), engine_(scenario.seed) {}

  std::vector<double> operator()(double centre) {
    const double fresh = std::sqrt(1 - scenario_.correlation * scenario_.correlation);
    std::vector<double> values;
    double state = 0;
    for (int i = -kForgotten; i < scenario_.sessions; ++i) {
      state = scenario_.correlation * state + fresh * noise();
      if (i >= 0) {
        values.push_back(centre + scenario_.deviation * state);
      }
    }
    return values;
  }

 private:
  double noise() {
    const double value = normal_(engine_);
    if (!scenario_.heavy_tails) {
      return value;
    }
    const double a = normal_(engine_), b = normal_(engine_), c = normal_(engine_);
    return value / std::sqrt(a * a + b * b + c * c);  // t3 / sqrt(3): variance 1
  }

  const SessionScenario& scenario_;
  std::mt19937_64 engine_;
  std::normal_distribution<double> normal_;
};

}  // namespace

SessionOutcome run(const SessionScenario& scenario) {
  const Bounds bounds = bounds_for(scenario.threshold, Policy{});
  const double truth = std::log1p(scenario.threshold * scenario.change);
  Sessions sessions(scenario);
  SessionOutcome outcome;
  const double share = 1.0 / (static_cast<double>(scenario.reports) * scenario.comparisons);
  for (int report = 0; report < scenario.reports; ++report) {
    bool regressed = false, unchanged = false;
    for (int comparison = 0; comparison < scenario.comparisons; ++comparison) {
      const std::vector<double> base = sessions(0), head = sessions(truth);
      const auto shift =
          estimate_two_sample_shift(base, head, scenario.alpha / scenario.comparisons);
      const Verdict verdict =
          shift ? verdict_at_look(shift->shift, Better::lower, bounds) : Verdict::inconclusive;
      regressed |= verdict == Verdict::regressed;
      unchanged |= verdict == Verdict::unchanged;
      outcome.regressed += verdict == Verdict::regressed ? share : 0;
      outcome.unchanged += verdict == Verdict::unchanged ? share : 0;
      outcome.inconclusive += verdict == Verdict::inconclusive ? share : 0;
      outcome.mean_widening += shift ? shift->noise.widening * share : 0;
    }
    outcome.reports_with_regressed += regressed ? 1 : 0;
    outcome.reports_with_unchanged += unchanged ? 1 : 0;
  }
  return outcome;
}

}  // namespace perf::replay
