#include "tests/analyzer/rule/replay.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <vector>

#include "analyzer/rule/decision.h"
#include "analyzer/rule/earlier_noise.h"
#include "analyzer/rule/look_schedule.h"

namespace perf::replay {
namespace {

constexpr double kStickiness = 0.7;

/// Of a comparison of m at a threshold of 10 %.
Rule rule_of(int judged, bool dear) {
  const Policy policy;
  Rule rule;
  rule.bounds = bounds_for(0.10, policy);
  rule.most_looks = policy.looks;
  rule.take(dear ? looks_of_dear(policy, judged, false) : ordinary_looks(policy, judged));
  return rule;
}

/// The rule after such sessions, `scale` of the noise told apart from today's.
Rule with_history(Rule rule, int judged, double scale, NoiseSource& source) {
  std::vector<std::vector<double>> sessions(5, std::vector<double>(6));
  for (std::vector<double>& session : sessions) {
    std::ranges::generate(session, [&] { return scale * source(); });
  }
  if (const auto noise = noise_of(sessions)) {
    rest_on(*noise, 0, Policy{}, judged, rule.early);
  }
  return rule;
}

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
      return deviation_ * normal_(engine_);
    case Noise::side_sticky:
      last_ = kStickiness * last_ + std::sqrt(1 - kStickiness * kStickiness) * normal_(engine_);
      return deviation_ * last_;
    case Noise::head_mode:
      return uniform_(engine_) < 0.5 ? deviation_ : 0;
    default:
      break;
  }
  return process() - process();
}

double NoiseSource::process() {
  switch (noise_) {
    case Noise::uniform:
      return deviation_ * std::sqrt(12.0) * uniform_(engine_);
    case Noise::student2: {
      const double a = normal_(engine_), b = normal_(engine_);
      return deviation_ / 1.5 * normal_(engine_) / std::sqrt((a * a + b * b) / 2);
    }
    case Noise::lognormal:  // its deviation is 2.16
      return deviation_ * std::exp(normal_(engine_)) / 2.16;
    case Noise::outliers:
      return deviation_ *
             (normal_(engine_) + (uniform_(engine_) < 0.15 ? 5 + 45 * uniform_(engine_) : 0));
    case Noise::modes_10:
      return uniform_(engine_) < 0.1 ? deviation_ : 0;
    case Noise::modes_30:
      return uniform_(engine_) < 0.3 ? deviation_ : 0;
    case Noise::modes_50:
      return uniform_(engine_) < 0.5 ? deviation_ : 0;
    case Noise::three_modes: {
      const double place = uniform_(engine_);
      return deviation_ * (place < 0.44 ? 0 : place < 0.56 ? 1 : 2);
    }
    default:
      return deviation_ * normal_(engine_);
  }
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
    case Noise::uniform:
      return "uniform";
    case Noise::student2:
      return "t, 2 degrees of freedom";
    case Noise::lognormal:
      return "lognormal";
    case Noise::outliers:
      return "outliers, 15 %";
    case Noise::modes_10:
      return "two modes, 10 %";
    case Noise::modes_30:
      return "two modes, 30 %";
    case Noise::modes_50:
      return "two modes, 50 %";
    case Noise::three_modes:
      return "three modes";
    case Noise::side_sticky:
      return "head autoregressive, .7";
    case Noise::head_mode:
      return "half of head's processes slower";
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

Errors early_errors(Noise noise, double scale, double change, int judged, int replays,
                    History history) {
  const Rule with = rule_of(judged, true), before = rule_of(judged, false);
  const double truth = change == 0.5 ? with.bounds.significant : change * with.bounds.relevant;
  const auto is_wrong = [change](Verdict verdict) {
    return change == 1     ? verdict == Verdict::unchanged
           : change == 0.5 ? verdict == Verdict::regressed
                           : verdict == Verdict::regressed || verdict == Verdict::improved;
  };
  NoiseSource source(noise, scale * with.bounds.relevant, 43), scales(Noise::normal, 1, 47);
  // A second state of head alone is a change of its centre: that is where it is judged from.
  const double centre = noise == Noise::head_mode ? scale * with.bounds.relevant / 2 : 0;
  const bool whole = history == History::none;
  std::vector<double> differences(static_cast<std::size_t>(
      whole ? std::max(with.looks.back(), before.looks.back()) : with.early.end - 1));
  Errors errors;
  for (int replay = 0; replay < replays; ++replay) {
    for (double& difference : differences) {
      difference = truth + source() - centre;
    }
    const double of_history = history == History::unlike ? std::exp(scales()) : 1;
    const Decision decision =
        decide(differences, whole ? with : with_history(with, judged, of_history, source), whole);
    errors.early += decision.early && is_wrong(decision.verdict) ? 1 : 0;
    if (whole) {
      errors.with += is_wrong(decision.verdict) ? 1 : 0;
      errors.before += is_wrong(decide(differences, before, true).verdict) ? 1 : 0;
    }
  }
  return errors;
}

int median_pairs(double scale, double change, int judged, bool dear, History history) {
  const Rule rule = rule_of(judged, dear);
  NoiseSource source(Noise::normal, std::sqrt(2.0) * scale * rule.bounds.relevant, 44);
  std::vector<double> differences(static_cast<std::size_t>(rule.looks.back()));
  std::vector<int> taken(1001);
  for (int& pairs : taken) {
    for (double& difference : differences) {
      difference = std::log1p(0.10 * change) + source();
    }
    const Rule now = history == History::none ? rule : with_history(rule, judged, 1, source);
    pairs = decide(differences, now, true).pairs;
  }
  std::ranges::nth_element(taken, taken.begin() + 500);
  return taken[500];
}

}  // namespace perf::replay
