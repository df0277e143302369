#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <vector>

namespace perf {

/// How far neighbouring pairs are correlated. Within a pair the order of the sides is
/// random, but a neighbour that comes and goes may favour one side for several pairs.
struct PairOrder {
  double correlation = 0;  ///< of a pair with the next, at most; 0: none is seen
  double widening = 1;     ///< of an interval that takes the pairs for independent
};

/// Of a value with the next: 1 - D / 2 with D von Neumann's ratio of the squared successive
/// differences to the squares about the mean (Ann. Math. Statist. 12 (1941), 367-395); 0 where all
/// are equal.
double neighbour_correlation(std::span<const double> values);

/// Told from the order of the differences alone. Where pairs are independent, every order of their
/// differences is as likely, whatever these are: using it then does not bias the interval,
/// which may be widened by it and still errs no more than it is allowed to (Wald & Wolfowitz, Ann.
/// Math. Statist. 14 (1943), 378-388).
///
/// What neighbour_correlation() sees counts from 0.3 on, of n < 24 pairs from n / 80 on: of 24
/// independent ones 6 % show that, of 24 with a first-order autoregression of .7 nine tenths. Then
/// it is corrected for the bias of short series, raised by a standard error of 1/sqrt(n), and
/// widens as it does for sessions (shift.h); but it is .9 at most, a side favoured for ten pairs on
/// end. If it might be .99, one shift by a fifth of a change would hide this in half of all runs of
/// 16 pairs, however large it is.
PairOrder pair_order(std::span<const double> differences);

/// Whether they are too few for that, and may be correlated: what is seen is (n - 12) / 40 or more.
/// With a first-order autoregression of .7 and one look, 8 to 28 pairs are judged wrong and show
/// less than that in one of fifty cases at most; of independent ones 43 % show it at 8 pairs, a
/// sixth at 20, a hundredth at 28.
bool may_be_correlated(std::span<const double> differences);

/// So many pairs show it.
inline constexpr int kPairsThatTellOrder = 32;

/// What ran before the processes of a pair.
struct PairPlace {
  bool base_first = false;
  std::optional<bool> after_base{};  ///< the process before the pair was base's; absent: none was
};

/// The centres of two groups of pairs that differ in what ran first, or in what ran before a side.
struct OrderEffect {
  double one = 0, other = 0;
};

/// Whether the differences depend on the order of the processes, as they do where a side leaves
/// something behind (heat, write-back, a cold cache) for the process that runs next. Pairs are
/// divided in four ways, each tested at `level`: by the side that ran first; by whether it followed
/// a process of its own side; by the side that head followed; by the side that base followed. The
/// order is drawn at random, whatever the differences are, so that each exact Mann-Whitney interval
/// of the shift between two groups errs no more than its level, at the look that the differences
/// choose as well. Nothing where none shows an effect.
std::optional<OrderEffect> order_effect(std::span<const double> differences,
                                        std::span<const PairPlace> places, double level);

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

/// Beyond this size an autocorrelation is not one of independent pairs: three standard errors of 1
/// / sqrt(n) (Bartlett; Box & Jenkins, "Time Series Analysis", section 2.1.6), because a
/// calibration looks at dozens of series.
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
