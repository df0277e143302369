#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "analyzer/bisect/bisect.h"
#include "analyzer/statistics/centre_and_spread.h"

namespace perf {
namespace {

// Degrees of freedom of the likelihood: real timings have such tails, and one wild pair must not
// outweigh the honest ones.
constexpr double kTail = 4;

/// ln of how much likelier a difference is at the level `high` than at `low`.
double log_likelihood_ratio(double difference, const BisectRange& range, double noise) {
  const auto log_density = [noise](double distance) {
    const double z = distance / noise;
    return -(kTail + 1) / 2 * std::log1p(z * z / kTail);
  };
  return log_density(difference - range.high) - log_density(difference - range.low);
}

}  // namespace

std::vector<double> first_bad_probabilities(const BisectEvidence& evidence,
                                            const BisectRange& range, double noise) {
  std::vector<double> weights(static_cast<std::size_t>(range.bad - range.good));
  double odds = 0;
  for (int i = range.bad; i > range.good; --i) {
    if (i < range.bad) {  // the ends of the range are known
      for (const double one : evidence.commits[static_cast<std::size_t>(i)].differences) {
        odds += log_likelihood_ratio(one, range, noise);
      }
    }
    weights[static_cast<std::size_t>(i - range.good - 1)] = odds;
  }
  const double most = *std::max_element(weights.begin(), weights.end());
  for (double& weight : weights) {
    weight = std::exp(weight - most);
  }
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& weight : weights) {
    weight /= sum;
  }
  return weights;
}

double noise_so_far(const BisectEvidence& evidence, const BisectEnds& ends) {
  const double step = ends.shift->estimate;
  std::vector<double> distances;
  for (const BisectCommit& commit : evidence.commits) {
    if (commit.differences.size() == 1) {
      const double one = commit.differences.front();
      distances.push_back(std::min(std::abs(one), std::abs(one - step)));
    } else if (!commit.differences.empty()) {
      add_distances(commit.differences, median(commit.differences), distances);
    }
  }
  return pair_noise_of(std::move(distances), step);
}

double level_at(const BisectEvidence& evidence, const BisectRange& range, int commit) {
  if (commit == range.good) {
    return range.low;
  }
  if (commit == range.bad) {
    return range.high;
  }
  return median(evidence.commits[static_cast<std::size_t>(commit)].differences);
}

double error_at(const BisectEvidence& evidence, const BisectRange& range, int commit,
                double noise) {
  if (commit == range.good || commit == range.bad) {
    return 0;
  }
  const std::size_t pairs = evidence.commits[static_cast<std::size_t>(commit)].differences.size();
  return kMedianError * noise / std::sqrt(static_cast<double>(pairs));
}

std::optional<double> log_odds_of_step(const BisectEvidence& evidence, const BisectRange& range,
                                       int before, int after, double noise) {
  const double step = range.high - range.low;
  const double seen = level_at(evidence, range, after) - level_at(evidence, range, before);
  const double error =
      std::hypot(error_at(evidence, range, before, noise), error_at(evidence, range, after, noise));
  if (error == 0) {
    return std::nullopt;
  }
  return step * (seen - step / 2) / (error * error);
}

}  // namespace perf
