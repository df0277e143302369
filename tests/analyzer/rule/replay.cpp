#include "tests/analyzer/rule/replay.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <vector>

#include "analyzer/rule/decision.h"
#include "analyzer/rule/look_schedule.h"

namespace perf::replay {
namespace {

constexpr double kStickiness = 0.7;

}  // namespace

double NoiseSource::operator()() {
  switch (noise_) {
    case Noise::student3: {
      const double a = normal_(engine_), b = normal_(engine_), c = normal_(engine_);
      // The variance of t with 3 degrees of freedom is 3.
      return deviation_ / std::sqrt(3.0) * normal_(engine_) /
             std::sqrt((a * a + b * b + c * c) / 3);
    }
    case Noise::laplace: {
      const double size = exponential_(engine_);
      return deviation_ / std::sqrt(2.0) * ((engine_() & 1u) != 0 ? size : -size);
    }
    case Noise::two_modes: {  // of each side, one process in five: five times its deviation above
      const double apart = deviation_ / std::sqrt(0.32 + 2.0 / 25);
      return apart * (mode() - mode() + 0.2 * (normal_(engine_) - normal_(engine_)));
    }
    case Noise::ticks:
      return deviation_ * std::round(normal_(engine_));
    case Noise::sticky:  // each pair from the one before, of whatever comparison
      last_ = kStickiness * last_ + std::sqrt(1 - kStickiness * kStickiness) * normal_(engine_);
      return deviation_ * last_;
    case Noise::normal:
      break;
  }
  return deviation_ * normal_(engine_);
}

std::string to_string(Noise noise) {
  switch (noise) {
    case Noise::student3:
      return "t, 3 degrees of freedom";
    case Noise::normal:
      return "normal";
    case Noise::two_modes:
      return "two modes";
    case Noise::ticks:
      return "ticks";
    case Noise::sticky:
      return "autoregression of .7";
    case Noise::laplace:
      break;
  }
  return "Laplace";
}

Outcome run(const Scenario& scenario) {
  Policy policy;
  policy.alpha = scenario.alpha;
  policy.looks = scenario.pairs > 0 ? 1 : policy.looks;
  Rule rule;
  rule.tails_apart = scenario.pairs > 0;
  rule.bounds = bounds_for(scenario.threshold, policy);
  rule.look_alpha = look_alpha(policy, scenario.comparisons);
  rule.most_looks = policy.looks;
  rule.complete = scenario.complete;
  const int last = std::max(scenario.pairs, scenario.given);
  rule.looks = look_schedule(policy, scenario.comparisons,
                             last > 0 ? std::optional(last) : std::optional<int>());
  const double truth = std::log1p(scenario.threshold * scenario.change);

  rule.order_alpha = kOrderShare * scenario.alpha / scenario.comparisons;
  NoiseSource noise(scenario.noise, scenario.deviation, scenario.seed);
  std::mt19937_64 order(scenario.seed + 1);
  std::vector<double> differences(static_cast<std::size_t>(rule.looks.back()));
  std::vector<PairPlace> places(differences.size());
  Outcome outcome;
  outcome.reports = scenario.reports;
  const double share = 1.0 / (static_cast<double>(scenario.reports) * scenario.comparisons);
  for (int report = 0; report < scenario.reports; ++report) {
    bool regressed = false, improved = false, unchanged = false;
    for (int comparison = 0; comparison < scenario.comparisons; ++comparison) {
      for (std::size_t i = 0; i < differences.size(); ++i) {
        PairPlace& place = places[i];
        place.base_first = (order() & 1U) != 0;
        place.after_base = i == 0 ? std::nullopt : std::optional(!places[i - 1].base_first);
        const bool after_base = place.after_base.value_or(false);
        const int slowed = place.base_first ? 1 - (after_base ? 1 : 0) : (after_base ? 1 : 0);
        differences[i] = truth + noise() + scenario.carry_over * slowed;
      }
      const Decision decision = decide(differences, rule, true, places);
      outcome.order_matters += decision.order ? share : 0;
      regressed |= decision.verdict == Verdict::regressed;
      improved |= decision.verdict == Verdict::improved;
      unchanged |= decision.verdict == Verdict::unchanged;
      outcome.regressed += decision.verdict == Verdict::regressed ? share : 0;
      outcome.unchanged += decision.verdict == Verdict::unchanged ? share : 0;
      outcome.inconclusive += decision.verdict == Verdict::inconclusive ? share : 0;
      outcome.mean_pairs += decision.pairs * share;
    }
    outcome.reports_with_regressed += regressed ? 1 : 0;
    outcome.reports_with_improved += improved ? 1 : 0;
    outcome.reports_with_unchanged += unchanged ? 1 : 0;
  }
  return outcome;
}

}  // namespace perf::replay
