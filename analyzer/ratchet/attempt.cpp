#include "analyzer/ratchet/attempt.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include "analyzer/statistics/centre_and_spread.h"
#include "analyzer/statistics/pair_order.h"
#include "analyzer/statistics/shift.h"

namespace perf {
namespace {

constexpr double kZeta = 2.6123753486854883;  // of 1.5
constexpr std::array kBets{.1, .2, .35, .5, .7, .9};
constexpr double kPairClip = 1.5;  // s: what a pair may move a bet by
constexpr std::size_t kFewestResiduals = 8;
constexpr std::size_t kFewestToProve = 4;
constexpr double kLeastNoiseOfPairs = 1e-4;
constexpr double kMostCorrelation = 0.3;
constexpr double kBetShare = 0.8, kRangeShare = 0.2;  // of a
constexpr int kRangeLooks = 12;                       // after its first

double scatter_of(std::span<const double> values) {
  return std::max(centre_and_spread(values).spread, kLeastNoiseOfPairs);
}

int first_range_look(double level) {
  int pairs = static_cast<int>(kFewestToProve);
  while (2 * std::pow(4.0, -pairs) + 1.5 * std::pow(3.0, -(pairs + kHalfMargin)) >
         kRangeShare * level) {
    ++pairs;
  }
  return pairs;
}

bool lies_beyond(std::span<const double> gains, double bound, double level) {
  const int pairs = static_cast<int>(gains.size()), first = first_range_look(level);
  if (pairs < first || pairs > first + kRangeLooks) {
    return false;
  }
  const auto [low, high] = std::ranges::minmax(gains);
  return low - bound > (high - low) * (pairs < first + kHalfMargin ? 1 : 0.5);
}

bool is_proven(std::span<const double> gains, const AttemptEvidence& now, double level,
               const Bounds& bounds) {
  return gains.size() >= kFewestToProve && now.estimate >= bounds.relevant &&
         neighbour_correlation(gains) < kMostCorrelation &&
         (now.evidence >= 1 / (kBetShare * level) || lies_beyond(gains, bounds.significant, level));
}

/// Few pairs refuse what lies a standard error below the least gain, eight and more what lies below
/// it. Noise that is only assumed counts as what the pairs show, if that is more: nothing is
/// accepted by it.
bool is_refused(std::span<const double> seen, const AttemptEvidence& now, bool knows_noise,
                double least) {
  const int n = now.pairs;
  if (n == 2 || n == 3 || n == 4 || n == 6) {
    const double noise = knows_noise ? now.noise : std::max(now.noise, scatter_of(seen));
    return now.estimate + noise / std::sqrt(n) < least;
  }
  return n >= 8 && n % 4 == 0 && now.estimate < least;
}

/// Bets pair by pair.
class Bets {
 public:
  Bets(double bound, std::span<const double> residuals, double first_noise)
      : bound_(bound), first_noise_(first_noise) {
    capital_.fill(1);
    if (residuals.size() >= kFewestResiduals) {
      known_ = std::max(kNormalDeviations * median({residuals.begin(), residuals.end()}),
                        kLeastNoiseOfPairs);
    }
  }

  bool knows_noise() const { return known_ > 0; }

  /// `seen`: the pairs up to the one that is bet on. Its noise is that of those before it.
  AttemptEvidence after(std::span<const double> seen) {
    const auto before = seen.first(seen.size() - 1);
    const double noise = known_ > 0                        ? known_
                         : before.size() >= kFewestToProve ? scatter_of(before)
                                                           : first_noise_;
    const double won = std::clamp((seen.back() - bound_) / (kPairClip * noise), -1.0, 1.0);
    double sum = 0;
    for (std::size_t i = 0; i < kBets.size(); ++i) {
      capital_[i] *= 1 + kBets[i] * won;
      sum += capital_[i];
    }
    return {static_cast<int>(seen.size()), estimate_centre(seen), sum / kBets.size(), noise};
  }

 private:
  double bound_, first_noise_;
  double known_ = 0;
  std::array<double, kBets.size()> capital_{};
};

}  // namespace

double attempt_level(double alpha, std::int64_t index) {
  return alpha * std::pow(static_cast<double>(index), -1.5) / kZeta;
}

std::vector<double> residuals_of(std::span<const double> gains) {
  if (gains.size() < kFewestToProve) {
    return {};
  }
  std::vector<double> residuals = distances_from_others(gains);
  std::ranges::transform(residuals, residuals.begin(),
                         [](double distance) { return std::abs(distance); });
  return residuals;
}

AttemptEvidence bet_on(std::span<const double> gains, double bound,
                       std::span<const double> residuals, double first_noise) {
  Bets bets(bound, residuals, first_noise);
  AttemptEvidence now;
  for (std::size_t pairs = 1; pairs <= gains.size(); ++pairs) {
    now = bets.after(gains.first(pairs));
  }
  return now;
}

AttemptStanding attempt_standing(std::span<const double> gains, std::span<const double> residuals,
                                 double level, const Bounds& bounds, int most_pairs) {
  Bets bets(bounds.significant, residuals, 2 * bounds.relevant);
  AttemptStanding standing;
  for (std::size_t pairs = 1; pairs <= gains.size(); ++pairs) {
    const auto seen = gains.first(pairs);
    standing.evidence = bets.after(seen);
    standing.answer = is_proven(seen, standing.evidence, level, bounds) ? AttemptAnswer::proven
                      : is_refused(seen, standing.evidence, bets.knows_noise(), bounds.relevant)
                          ? AttemptAnswer::refused
                      : static_cast<int>(pairs) >= most_pairs ? AttemptAnswer::not_proven
                                                              : AttemptAnswer::open;
    if (standing.answer != AttemptAnswer::open) {
      break;
    }
  }
  return standing;
}

GuardStanding guard_standing(std::span<const double> gains, std::span<const double> residuals,
                             double level, const Bounds& bounds) {
  Bets bets(-bounds.relevant, residuals, 2 * bounds.relevant);
  for (std::size_t pairs = 1; pairs <= gains.size(); ++pairs) {
    const auto seen = gains.first(pairs);
    const AttemptEvidence now = bets.after(seen);
    if (is_refused(seen, now, bets.knows_noise(), -bounds.relevant)) {
      return GuardStanding::worse;
    }
    if (now.evidence >= 1 / level) {
      return GuardStanding::passes;
    }
  }
  return GuardStanding::open;
}

}  // namespace perf
