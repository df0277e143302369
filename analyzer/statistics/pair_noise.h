#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <vector>

namespace perf {

/// How far the differences of pairs of identical code scatter, on the scale they come in (ln).
struct PairNoise {
  double robust_sd = 0;  ///< 1.4826 x the median distance from the median: a normal's deviation
  double sd = 0;         ///< n - 1
  double p95 = 0;        ///< of |d|
  double worst = 0;      ///< largest |d|
  std::optional<double> autocorrelation;  ///< at lag 1; nothing where all are equal
};

/// The differences must be finite; all zero of nothing.
PairNoise pair_noise(std::span<const double> differences);

/// Beyond this size an autocorrelation is none of independent pairs: three standard errors of 1 /
/// sqrt(n) (Bartlett; Box & Jenkins, "Time Series Analysis", section 2.1.6), because a calibration
/// looks at dozens of series.
double autocorrelation_limit(int pairs);

/// How many neighbouring pairs a resample has to draw together: 1 while the autocorrelation stays
/// within the limit; else ceil(n^(1/3)), the order of the best block length for a variance
/// (Hall, Horowitz & Jing, "On blocking rules for the bootstrap with dependent data", Biometrika 82
/// (1995), 561-574), at least 2.
int block_length(const PairNoise& noise, int pairs);

/// Draws sequences of pair differences of identical code that scatter as the measured ones do: the
/// measured ones less their centre (Hodges-Lehmann), drawn with replacement, with a random sign,
/// because which of two identical programs is called head is a coin's choice. Blocks of
/// neighbouring pairs keep their order and share a sign, so that what made them alike stays: the
/// circular block bootstrap of Politis & Romano (1992).
class NoiseSource {
 public:
  NoiseSource(std::span<const double> differences, int block, std::uint64_t seed);

  /// Overwrites all of `sequence`.
  void draw(std::span<double> sequence);

 private:
  std::vector<double> centred_;
  std::size_t block_;
  std::mt19937_64 engine_;
};

}  // namespace perf
