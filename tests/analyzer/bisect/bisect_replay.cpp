#include "tests/analyzer/bisect/bisect_replay.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "analyzer/bisect/bisect.h"

namespace perf::bisect_replay {
namespace {

using Rng = std::mt19937_64;

double uniform(Rng& random) {
  return static_cast<double>(random() >> 11U) * 0x1.0p-53;
}

double normal(Rng& random) {
  constexpr double kTwoPi = 6.283185307179586;
  return std::sqrt(-2 * std::log(1 - uniform(random))) * std::cos(kTwoPi * uniform(random));
}

/// Of standard deviation 1, but for the wild pairs and the spells of disturbance.
double draw(Noise noise, Rng& random, bool& disturbed) {
  switch (noise) {
    case Noise::normal:
      return normal(random);
    case Noise::student3: {
      double squares = 0;
      for (int i = 0; i < 3; ++i) {
        squares += std::pow(normal(random), 2);
      }
      return normal(random) / std::sqrt(squares / 3) / std::sqrt(3.0);
    }
    case Noise::wild:
      return normal(random) * (uniform(random) < 0.05 ? 10 : 1);
    case Noise::bursts:
      disturbed = uniform(random) < (disturbed ? 0.9 : 0.05);
      return normal(random) * (disturbed ? 20 : 1);
  }
  return 0;
}

/// One history and its measurements.
class Measurements {
 public:
  Measurements(const Scenario& scenario, Rng& random) : scenario_(scenario), random_(random) {
    const auto commits = static_cast<std::size_t>(scenario.commits);
    level_.assign(commits, 0);
    broken_.assign(commits, false);
    for (std::size_t i = 0; i < scenario.steps.size(); ++i) {
      const std::size_t at =
          scenario.at.empty() ? random() % commits : static_cast<std::size_t>(scenario.at[i]);
      steps_.insert(static_cast<int>(at));
      for (std::size_t commit = at; commit < commits; ++commit) {
        level_[commit] += scenario.steps[i];
      }
    }
    for (std::size_t commit = 0; commit < commits; ++commit) {
      level_[commit] += scenario.build_effect * normal(random);
      broken_[commit] = commit + 1 < commits && uniform(random) < scenario.unbuildable;
    }
    evidence_.commits.resize(commits);
  }

  const BisectEvidence& evidence() const { return evidence_; }

  void measure(std::size_t commit, int pairs) {
    evidence_.commits[commit].skipped = broken_[commit];
    for (int i = 0; i < pairs && !broken_[commit]; ++i) {
      evidence_.commits[commit].differences.push_back(
          level_[commit] + scenario_.deviation * draw(scenario_.noise, random_, disturbed_));
    }
    evidence_.current = commit;
  }

  bool holds_a_step(const BisectSearch& answer) const {
    return std::any_of(steps_.begin(), steps_.end(),
                       [&](int at) { return at > answer.last_good && at <= answer.first_bad; });
  }

  int pairs() const {
    std::size_t pairs = 0;
    for (const BisectCommit& commit : evidence_.commits) {
      pairs += commit.differences.size();
    }
    return static_cast<int>(pairs);
  }

  int visits() const {
    return static_cast<int>(
        std::count_if(evidence_.commits.begin(), evidence_.commits.end(),
                      [](const BisectCommit& one) { return !one.differences.empty(); }));
  }

 private:
  const Scenario& scenario_;
  Rng& random_;
  std::vector<double> level_;
  std::vector<bool> broken_;
  std::set<int> steps_;
  bool disturbed_ = false;
  BisectEvidence evidence_;
};

Rule rule_of(const Scenario& scenario) {
  const Policy policy;
  Rule rule;
  rule.bounds = bounds_for(scenario.threshold, policy);
  rule.take(scenario.dear ? looks_of_dear(policy, 1, false) : ordinary_looks(policy, 1));
  return rule;
}

}  // namespace

std::string to_string(Noise noise) {
  switch (noise) {
    case Noise::normal:
      return "normal";
    case Noise::student3:
      return "t(3)";
    case Noise::wild:
      return "wild";
    case Noise::bursts:
      break;
  }
  return "bursts";
}

Outcome run(const Scenario& scenario) {
  Rng random(scenario.seed);
  const Rule rule = rule_of(scenario);
  Outcome outcome;
  outcome.histories = scenario.histories;
  std::vector<int> pairs;
  for (int i = 0; i < scenario.histories; ++i) {
    Measurements measurements(scenario, random);
    BisectStanding standing = bisect_standing(measurements.evidence(), rule);
    while (standing.commit) {
      measurements.measure(*standing.commit, standing.pairs);
      standing = bisect_standing(measurements.evidence(), rule);
    }
    if (!standing.search) {
      ++outcome.none;
    } else {
      ++(measurements.holds_a_step(*standing.search) ? outcome.right : outcome.wrong);
      outcome.certain += standing.search->certain ? 1 : 0;
    }
    pairs.push_back(measurements.pairs());
    outcome.mean_pairs += static_cast<double>(pairs.back()) / scenario.histories;
    outcome.mean_visits += static_cast<double>(measurements.visits()) / scenario.histories;
    outcome.within_fifty += pairs.back() <= 50 ? 1 : 0;
  }
  std::sort(pairs.begin(), pairs.end());
  outcome.median_pairs = pairs[pairs.size() / 2];
  outcome.p95_pairs = pairs[pairs.size() * 95 / 100];
  outcome.p99_pairs = pairs[pairs.size() * 99 / 100];
  outcome.most_pairs = pairs.back();
  return outcome;
}

std::vector<Scenario> documented() {
  std::vector<Scenario> all(1, Scenario{});
  all[0].name = "the promise";
  const auto add = [&all](const std::string& name) -> Scenario& {
    Scenario& scenario = all.emplace_back();
    scenario.name = name;
    return scenario;
  };
  add("heavy tails").noise = Noise::student3;
  add("wild pairs").noise = Noise::wild;
  Scenario& disturbed = add("disturbed machine, step of 5 %");
  disturbed.noise = Noise::bursts;
  disturbed.steps = {0.05};
  add("step of 1.2 %").steps = {0.012};
  add("step of 10 %").steps = {0.1};
  add("first commit").at = {0};
  add("last commit").at = {511};
  add("1 commit").commits = 1;
  add("2 commits").commits = 2;
  add("3 commits").commits = 3;
  add("64 commits").commits = 64;
  add("a third does not build").unbuildable = 1.0 / 3;
  add("no step").steps = {0.0};
  add("two steps of 1 %").steps = {0.01, 0.01};
  add("steps of 0.6 and 1.4 %").steps = {0.006, 0.014};
  add("two steps of 2 %").steps = {0.02, 0.02};
  add("up, down, up").steps = {0.02, -0.02, 0.02};
  add("each build moves 0.25 %").build_effect = 0.0025;
  add("each build moves 0.5 %").build_effect = 0.005;
  return all;
}

}  // namespace perf::bisect_replay
