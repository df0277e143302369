#include "analyzer/rule/earlier_noise.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "analyzer/statistics/centre_and_spread.h"

namespace perf {
namespace {

constexpr std::size_t kFewestEarlier = 30;
constexpr std::size_t kMostEarlier = 200;
constexpr std::size_t kEarlierSessions = 5;
constexpr std::size_t kFewestOfSession = 4;
constexpr std::size_t kTrimmed = 10;     // one in so many may lie further than `usual`
constexpr double kCorrelatedErrors = 3;  // of a correlation, whose standard error is 1/sqrt(N)

/// P(all `pairs` new pairs lie on one side and further than the j-th largest of `earlier` ones).
double chance_beyond(int pairs, int earlier, int j) {
  double chance = std::pow(2.0, 1 - pairs);
  for (int i = 0; i < pairs; ++i) {
    chance *= static_cast<double>(j + i) / (earlier + 1 + i);
  }
  return chance;
}

}  // namespace

std::optional<EarlierNoise> noise_of(std::span<const std::vector<double>> newest_first) {
  std::vector<double> all;
  std::set<std::vector<double>> taken;
  double squares = 0, products = 0;
  for (const std::vector<double>& session : newest_first) {
    const std::size_t kept = std::min(session.size(), kMostEarlier - all.size());
    if (kept < kFewestOfSession || !taken.insert(session).second) {
      continue;
    }
    const std::vector<double> distances = distances_from_others(session);
    squares += squares_about(distances, 0);
    products += products_about(distances, 0);
    all.insert(all.end(), distances.end() - static_cast<std::ptrdiff_t>(kept), distances.end());
  }
  const double most = kCorrelatedErrors / std::sqrt(static_cast<double>(all.size())) * squares;
  if (all.size() < kFewestEarlier || taken.size() < kEarlierSessions || products > most) {
    return std::nullopt;
  }
  std::ranges::transform(all, all.begin(), [](double distance) { return std::abs(distance); });
  std::ranges::sort(all, std::greater());
  EarlierNoise noise;
  noise.pairs = static_cast<int>(all.size());
  noise.largest.assign(all.begin(),
                       all.begin() + static_cast<std::ptrdiff_t>(all.size() / kTrimmed));
  return noise.largest.back() > 0 ? std::optional(noise) : std::nullopt;
}

void rest_on(const EarlierNoise& noise, double resolution, const Policy& policy, int judged,
             EarlyLooks& early) {
  const double share = kHugeShare * policy.alpha * policy.alpha_share / judged;
  int j = 0;
  while (j < static_cast<int>(noise.largest.size()) &&
         chance_beyond(early.first, noise.pairs, j + 1) <= share) {
    ++j;
  }
  if (early.first > 0 && j > 0) {
    early.usual = std::max(noise.largest[static_cast<std::size_t>(j - 1)], resolution);
    early.earlier = noise.pairs;
  }
}

}  // namespace perf
