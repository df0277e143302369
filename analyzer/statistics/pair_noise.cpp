#include <algorithm>
#include <cmath>
#include <cstddef>

#include "analyzer/statistics/centre_and_spread.h"
#include "analyzer/statistics/pair_order.h"
#include "analyzer/statistics/shift.h"
#include "schema/side_stats.h"
#include "schema/text/lists.h"

namespace perf {
namespace {

std::optional<double> autocorrelation(std::span<const double> values, double centre) {
  const double all = squares_about(values, centre);
  return all > 0 ? std::optional(products_about(values, centre) / all) : std::nullopt;
}

}  // namespace

PairNoise pair_noise(std::span<const double> differences) {
  PairNoise noise;
  if (differences.empty()) {
    return noise;
  }
  noise.robust_sd = centre_and_spread(differences).spread;
  const double average = mean(differences);
  if (differences.size() > 1) {
    noise.sd = std::sqrt(squares_about(differences, average) /
                         static_cast<double>(differences.size() - 1));
  }
  std::vector<double> sizes =
      mapped(differences, [](const double difference) { return std::abs(difference); });
  std::ranges::sort(sizes);
  noise.p95 = quantile(sizes, 0.95);
  noise.worst = sizes.back();
  noise.autocorrelation = autocorrelation(differences, average);
  return noise;
}

double autocorrelation_limit(int pairs) {
  return 3 / std::sqrt(static_cast<double>(pairs));
}

int block_length(const PairNoise& noise, int pairs) {
  if (!noise.autocorrelation || std::abs(*noise.autocorrelation) <= autocorrelation_limit(pairs)) {
    return 1;
  }
  constexpr double kRounding = 1e-9;  // keeps a whole cube root what it is
  return std::max(2, static_cast<int>(std::ceil(std::cbrt(pairs) - kRounding)));
}

NoiseSource::NoiseSource(std::span<const double> differences, int block, std::uint64_t seed)
    : centred_(differences.begin(), differences.end()),
      block_(static_cast<std::size_t>(std::max(block, 1))),
      engine_(seed) {
  const double centre = estimate_centre(centred_);
  for (double& difference : centred_) {
    difference -= centre;
  }
}

void NoiseSource::draw(std::span<double> sequence) {
  const std::size_t size = centred_.size();
  for (std::size_t i = 0; i < sequence.size(); i += block_) {
    // Plain remainders: the standard's distributions draw differently in every library.
    const std::size_t start = engine_() % size;
    const double sign = (engine_() >> 63) != 0 ? -1 : 1;
    for (std::size_t k = 0; k < block_ && i + k < sequence.size(); ++k) {
      sequence[i + k] = sign * centred_[(start + k) % size];
    }
  }
}

}  // namespace perf
