#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "analyzer/bisect/bisect.h"
#include "analyzer/statistics/centre_and_spread.h"

namespace perf {
namespace {

// Two timings never agree better than this, however alike a few pairs are (as in docs/verdicts.md).
constexpr double kNoiseFloor = 0.001;
// Nor is the noise believed to be less than this share of the step.
constexpr double kNoiseShare = 1.0 / 6;
// A fifth of normal values are so many standard deviations off.
constexpr double kNormalFifth = 1.2816;

}  // namespace

double pair_noise_of(std::vector<double> distances, double step) {
  const std::size_t rank = (distances.size() * 4 + 4) / 5 - 1;
  std::nth_element(distances.begin(), distances.begin() + static_cast<std::ptrdiff_t>(rank),
                   distances.end());
  const double fifth = distances[rank];
  return std::max({kNormalDeviations * median(std::move(distances)), fifth / kNormalFifth,
                   kNoiseFloor, kNoiseShare * std::abs(step)});
}

void add_distances(std::span<const double> differences, double centre,
                   std::vector<double>& distances) {
  const auto n = static_cast<double>(differences.size());
  for (const double difference : differences) {
    distances.push_back(std::abs(difference - centre) * std::sqrt(n / (n - 1)));
  }
}

BisectEnds compare_ends(std::span<const double> differences, const Rule& rule) {
  BisectEnds ends;
  const int measured = static_cast<int>(differences.size());
  for (const int look : rule.looks) {
    if (look > measured) {
      ends.wanted = look - measured;
      return ends;
    }
    const auto seen = differences.first(static_cast<std::size_t>(look));
    ends.shift = estimate_shift(seen, rule.look_alpha);
    ends.pairs = look;
    if (!ends.shift) {
      continue;
    }
    std::vector<double> distances;
    add_distances(seen, ends.shift->estimate, distances);
    ends.noise = pair_noise_of(std::move(distances), ends.shift->estimate);
    if (ends.shift->high < rule.bounds.relevant) {
      ends.answer = BisectEnds::Answer::not_worse;
      return ends;
    }
    if (ends.shift->low > 0) {
      ends.answer = BisectEnds::Answer::worse;
      return ends;
    }
  }
  ends.answer = BisectEnds::Answer::undecided;
  return ends;
}

double last_threshold(const BisectEnds& ends) {
  const double threshold = std::expm1(std::max(ends.shift->low / 2, ends.shift->estimate / 4));
  const double digits = std::pow(10, std::floor(std::log10(threshold)) - 1);
  return std::floor(threshold / digits) * digits;
}

}  // namespace perf
