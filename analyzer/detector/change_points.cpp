#include "analyzer/detector/change_points.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <tuple>

#include "analyzer/detector/best_cut.h"
#include "analyzer/detector/searched_values.h"
#include "analyzer/detector/step_evidence.h"

namespace perf {
namespace {

constexpr std::size_t kShortest = 4;
constexpr std::size_t kFewestOnEachSide = 2;
constexpr double kIndependent = 1.1, kDependent = 1.4;
constexpr double kShortSeries = 12;
constexpr double kNineInTen = 1.28;  // standard errors: the upper tenth of a normal
constexpr std::size_t kFewestToShow = 20;

struct Candidate {
  std::size_t begin = 0, end = 0;
  Cut cut;

  /// Narrowest first, of those what explains most, the first of equals.
  auto order() const { return std::tuple(end - begin, -cut.explained, begin); }
};

/// Those of one length that explain enough.
void add_candidates(std::span<const double> sums, std::size_t length, double least_explained,
                    std::vector<Candidate>& candidates) {
  const std::size_t last = sums.size() - 1 - length;
  const CutFinder finder(length, kFewestOnEachSide);
  for (std::size_t begin = 0;; begin = std::min(begin + length / 2, last)) {
    const Cut cut = finder.best(sums, begin);
    if (cut.explained > least_explained) {
      candidates.push_back({begin, begin + length, cut});
    }
    if (begin == last) {
      return;
    }
  }
}

/// n / 2^(j/2), each length once.
std::set<std::size_t> interval_lengths(std::size_t n) {
  std::set<std::size_t> lengths;
  double length = static_cast<double>(n);
  while (length >= static_cast<double>(kShortest)) {
    lengths.insert(static_cast<std::size_t>(length));
    length /= std::sqrt(2.0);
  }
  return lengths;
}

/// What the difference of two means has to exceed, in its standard errors by the long-run noise:
/// c sqrt(2 ln n) (1 + (12/n)^2). The c is 1.1 where points are independent, and rises to 1.4 as
/// the long-run noise reaches twice that of neighbours: where points hang together, few blocks tell
/// their noise, and they tell too little of it. Short series tell less still: the last factor.
double proposal_threshold(const NoiseLevels& noise) {
  const double n = static_cast<double>(noise.clipped.size());
  const double dependence = std::clamp(noise.long_run / noise.neighbour - 1, 0.0, 1.0);
  const double factor = kIndependent + (kDependent - kIndependent) * dependence;
  return factor * std::sqrt(2 * std::log(n)) * (1 + kShortSeries * kShortSeries / (n * n));
}

/// Where the series may step, positions in it, ascending; each the first point after the step. A
/// proposal: it is for verified_steps to test them.
///
/// Seeded intervals (Kovacs, Buehlmann, Li & Munk, Biometrika 110 (2023), 249-256) of lengths
/// n / 2^(j/2) >= 4, shifted by half; in each the best cut into two means, sides of 2 or more;
/// those beyond proposal_threshold are taken narrowest first (Baranowski, Chen & Fryzlewicz, JRSS B
/// 81 (2019), 649-672), where no taken step lies inside.
std::vector<std::size_t> proposed_steps(const NoiseLevels& noise) {
  if (noise.clipped.size() < kShortest) {
    return {};
  }
  const double least = proposal_threshold(noise) * noise.long_run;
  const std::vector<double> sums = cumulative_sums(noise.clipped);
  std::vector<Candidate> candidates;
  for (const std::size_t length : interval_lengths(noise.clipped.size())) {
    add_candidates(sums, length, least * least, candidates);
  }
  std::ranges::sort(candidates, {}, &Candidate::order);

  std::set<std::size_t> taken;
  for (const Candidate& candidate : candidates) {
    const auto next = taken.upper_bound(candidate.begin);
    if (next == taken.end() || *next >= candidate.end) {
      taken.insert(candidate.cut.step);
    }
  }
  return {taken.begin(), taken.end()};
}

}  // namespace

std::vector<FoundStep> find_steps(const std::vector<double>& values, Scale scale) {
  const SearchedValues series = searched_values(values, scale);
  const NoiseLevels noise = noise_levels(series.y);
  std::vector<std::size_t> steps =
      verified_steps(proposed_steps(noise), series.y, noise, scale, StepTest{});
  place_steps(steps, noise.clipped);
  return described_steps(steps, series, noise, scale);
}

std::optional<double> visible_step(const std::vector<double>& values, std::size_t after,
                                   Scale scale) {
  const SearchedValues series = searched_values(values, scale);
  const std::size_t n = series.y.size();
  if (n < kFewestToShow) {
    return std::nullopt;
  }
  const std::size_t right = std::min(after, n / 2), left = n - right;
  const NoiseLevels noise = noise_levels(series.y);
  const StepTest test;
  const double of_means = noise.long_run * std::sqrt(1.0 / static_cast<double>(left) +
                                                     1.0 / static_cast<double>(right));
  const double difference =
      std::max((proposal_threshold(noise) + kNineInTen) * of_means,
               (test.least_z + kNineInTen) * expected_error(left, right, noise));
  return std::max(test.least_change, relative_change(difference, scale));
}

}  // namespace perf
