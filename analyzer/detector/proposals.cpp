#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <tuple>

#include "analyzer/detector/internal.h"

namespace perf {
namespace {

constexpr std::size_t kShortest = 4;
constexpr std::size_t kFewestOnEachSide = 2;
constexpr double kIndependent = 1.1, kDependent = 1.4;
constexpr double kShortSeries = 12;

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

/// What a cut has to explain.
double least_explained(const NoiseLevels& noise) {
  const double least = proposal_threshold(noise) * noise.long_run;
  return least * least;
}

}  // namespace

double proposal_threshold(const NoiseLevels& noise) {
  const double n = static_cast<double>(noise.clipped.size());
  const double dependence = std::clamp(noise.long_run / noise.neighbour - 1, 0.0, 1.0);
  const double factor = kIndependent + (kDependent - kIndependent) * dependence;
  return factor * std::sqrt(2 * std::log(n)) * (1 + kShortSeries * kShortSeries / (n * n));
}

NoiseLevels if_independent(NoiseLevels noise) {
  noise.point = noise.long_run = noise.neighbour;
  return noise;
}

/// Those of one length that explain enough.
void Proposals::add(std::span<const double> sums, std::size_t length, double least_explained) {
  const std::size_t last = sums.size() - 1 - length;
  const CutFinder finder(length, kFewestOnEachSide);
  for (std::size_t begin = 0;; begin = std::min(begin + length / 2, last)) {
    const Cut cut = finder.best(sums, begin, least_explained);
    if (cut.explained > least_explained) {
      candidates_.push_back({begin, begin + length, cut});
    }
    if (begin == last) {
      return;
    }
  }
}

Proposals::Proposals(const NoiseLevels& noise) {
  if (noise.clipped.size() < kShortest) {
    return;
  }
  const double least = least_explained(if_independent(noise));
  const std::vector<double> sums = cumulative_sums(noise.clipped);
  for (const std::size_t length : interval_lengths(noise.clipped.size())) {
    add(sums, length, least);
  }
  // The narrowest first, of those what explains most, the first of equals.
  std::ranges::sort(candidates_, {}, [](const Candidate& one) {
    return std::tuple(one.end - one.begin, -one.cut.explained, one.begin);
  });
}

std::vector<std::size_t> Proposals::beyond(const NoiseLevels& noise) const {
  const double least = least_explained(noise);
  std::set<std::size_t> taken;
  for (const Candidate& candidate : candidates_) {
    const auto next = taken.upper_bound(candidate.begin);
    if (candidate.cut.explained > least && (next == taken.end() || *next >= candidate.end)) {
      taken.insert(candidate.cut.step);
    }
  }
  return {taken.begin(), taken.end()};
}

}  // namespace perf
