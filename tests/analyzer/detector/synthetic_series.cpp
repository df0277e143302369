#include "tests/analyzer/detector/synthetic_series.h"

#include <algorithm>
#include <cmath>

#include "analyzer/detector/change_points.h"

namespace perf::test {
namespace {

using Random = std::mt19937_64;

double uniform(Random& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

double normal(Random& random) {
  return std::normal_distribution<double>()(random);
}

double outlying(Random& random) {
  if (uniform(random, 0, 1) >= 0.05) {
    return normal(random);
  }
  return uniform(random, 5, 30) * (uniform(random, 0, 1) < 0.8 ? 1 : -1);
}

std::vector<double> correlated(std::size_t points, Random& random) {
  const double phi = uniform(random, 0.5, 0.8);
  std::vector<double> noise(points);
  double last = normal(random);
  for (double& one : noise) {
    last = phi * last + std::sqrt(1 - phi * phi) * normal(random);
    one = last;
  }
  return noise;
}

std::vector<double> changing(std::size_t points, Random& random) {
  std::vector<double> noise(points);
  double deviation = 1;
  for (double& one : noise) {
    if (uniform(random, 0, 1) < 1 / 40.0) {
      deviation = uniform(random, 1, 3);
    }
    one = deviation * normal(random);
  }
  return noise;
}

/// In units of the deviation.
std::vector<double> unit_noise(Nature nature, std::size_t points, Random& random) {
  if (nature == Nature::correlated) {
    return correlated(points, random);
  }
  if (nature == Nature::changing) {
    return changing(points, random);
  }
  if (nature == Nature::bimodal) {
    return two_modes(points, uniform(random, 2, 6), 2, random);
  }
  if (nature == Nature::sticky) {
    return two_modes(points, uniform(random, 1.5, 3.5), uniform(random, 5, 15), random);
  }
  std::vector<double> noise(points);
  for (double& one : noise) {
    one = normal(random);
  }
  const auto over_points = [&](auto value) { std::generate(noise.begin(), noise.end(), value); };
  if (nature == Nature::outliers) {
    over_points([&] { return outlying(random); });
  }
  if (nature == Nature::heavy) {
    over_points([&] { return std::student_t_distribution<double>(2.5)(random); });
  }
  if (nature == Nature::quantised) {
    over_points([&] { return 1.5 * std::round(normal(random) / 1.5); });
  }
  return noise;
}

}  // namespace

std::vector<Nature> all_natures() {
  return {Nature::white,  Nature::outliers,   Nature::heavy,    Nature::bimodal,
          Nature::sticky, Nature::correlated, Nature::changing, Nature::quantised};
}

std::string name_of(Nature nature) {
  static const std::vector<std::string> kNames{"white",  "outliers",   "heavy",    "bimodal",
                                               "sticky", "correlated", "changing", "quantised"};
  return kNames.at(static_cast<std::size_t>(nature));
}

std::vector<double> two_modes(std::size_t points, double apart, double run, Random& random) {
  std::vector<double> noise(points);
  double mode = uniform(random, 0, 1) < 0.5 ? -0.5 : 0.5;
  for (double& one : noise) {
    if (uniform(random, 0, 1) < 1 / run) {
      mode = -mode;
    }
    one = apart * mode + normal(random);
  }
  return noise;
}

std::vector<double> uneven_modes(std::size_t points, double apart, double share, Random& random) {
  std::vector<double> noise(points);
  for (double& one : noise) {
    one = (uniform(random, 0, 1) < share ? apart : 0) + normal(random);
  }
  return noise;
}

std::vector<double> whole_ticks(std::size_t points, double level, double deviation,
                                Random& random) {
  std::vector<double> values(points);
  for (double& value : values) {
    value = std::round(level + deviation * normal(random));
  }
  return values;
}

std::vector<double> noise_of(Nature nature, std::size_t points, double deviation, Random& random) {
  std::vector<double> noise = unit_noise(nature, points, random);
  for (double& one : noise) {
    one *= deviation;
  }
  return noise;
}

std::vector<double> times(std::vector<double> noise, std::size_t step, double change) {
  for (std::size_t i = 0; i < noise.size(); ++i) {
    noise[i] = 0.001 * std::exp(noise[i]) * (i >= step ? 1 + change : 1);
  }
  return noise;
}

Planted with_steps(std::size_t points, std::size_t steps, double change, Course course,
                   double deviation, Random& random) {
  Planted planted{times(noise_of(Nature::white, points, deviation, random)), {}};
  bool is_up = uniform(random, 0, 1) < 0.5 || course == Course::onward;
  for (std::size_t step = 1; step <= steps; ++step) {
    const std::size_t at = points * step / (steps + 1);
    planted.steps.push_back(at);
    for (std::size_t i = at; i < points; ++i) {
      planted.values[i] *= is_up ? 1 + change : 1 / (1 + change);
    }
    is_up = is_up == (course == Course::onward);
  }
  return planted;
}

Planted step_beside_drift(Random& random) {
  constexpr std::size_t kPoints = 200;
  const auto step = static_cast<std::size_t>(uniform(random, 40, 160));
  const double change = uniform(random, 0, 1) < 0.5 ? 0.05 : -0.05;
  std::vector<double> noise = noise_of(Nature::white, kPoints, 0.01, random);
  for (std::size_t i = 0; i < kPoints; ++i) {
    noise[i] += std::log1p(0.05) * static_cast<double>(i) / (kPoints - 1);
  }
  return {times(noise, step, change), {step}};
}

Score score_planted(const std::function<Planted(Random&)>& series, std::size_t replicas,
                    std::uint64_t seed) {
  Random random(seed);
  Score score;
  for (std::size_t replica = 0; replica < replicas; ++replica) {
    const Planted planted = series(random);
    const std::vector<FoundStep> found = find_steps(planted.values);
    std::size_t hits = 0;
    for (const std::size_t step : planted.steps) {
      hits += std::ranges::any_of(found, [step](const FoundStep& one) {
        return one.index <= step + 5 && step <= one.index + 5;
      });
    }
    ++score.series;
    score.points += planted.values.size();
    score.steps += planted.steps.size();
    score.hits += hits;
    score.extra += found.size() - std::min(hits, found.size());
  }
  return score;
}

Score score_clean(const std::function<std::vector<double>(Random&)>& series, std::size_t replicas,
                  std::uint64_t seed) {
  Random random(seed);
  Score score;
  for (std::size_t replica = 0; replica < replicas; ++replica) {
    const std::vector<double> values = series(random);
    const std::size_t found = find_steps(values).size();
    ++score.series;
    score.points += values.size();
    score.alarmed += found > 0 ? 1 : 0;
    score.false_alarms += found;
  }
  return score;
}

Score score_steps(const UnitNoise& unit_noise, std::size_t replicas, double change,
                  std::uint64_t seed) {
  Random random(seed);
  const auto noise = [&](std::size_t points) {
    std::vector<double> unit = unit_noise(points, random);
    for (double& one : unit) {
      one *= 0.01;
    }
    return unit;
  };
  Score score;
  for (std::size_t replica = 0; replica < replicas; ++replica) {
    const auto points = static_cast<std::size_t>(uniform(random, 100, 301));
    const std::size_t found = find_steps(times(noise(points))).size();
    ++score.series;
    score.points += points;
    score.alarmed += found > 0 ? 1 : 0;
    score.false_alarms += found;

    const std::size_t margin = std::max<std::size_t>(15, points / 5);
    const auto step = margin + static_cast<std::size_t>(
                                   uniform(random, 0, static_cast<double>(points - 2 * margin)));
    const double signed_change = uniform(random, 0, 1) < 0.5 ? change : -change;
    const std::vector<FoundStep> steps = find_steps(times(noise(points), step, signed_change));
    const auto hits =
        static_cast<std::size_t>(std::any_of(steps.begin(), steps.end(), [&](const FoundStep& one) {
          return one.index <= step + 5 && step <= one.index + 5;
        }));
    ++score.steps;
    score.hits += hits;
    score.extra += steps.size() - hits;
  }
  return score;
}

Score score_steps(Nature nature, std::size_t replicas, double change, std::uint64_t seed) {
  return score_steps(
      [nature](std::size_t points, Random& random) { return unit_noise(nature, points, random); },
      replicas, change, seed);
}

}  // namespace perf::test
