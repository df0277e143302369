#pragma once

#include <cstdint>

namespace perf {

/// Up to here the null distribution is exact; beyond it the normal approximation with continuity
/// correction is used, whose tails are heavier than the exact ones, so that it errs on the side of
/// wider intervals.
inline constexpr int kExactPairs = 300;

/// M = n(n+1)/2: the number of Walsh averages of n differences, and the largest T+.
constexpr std::int64_t walsh_count(int pairs) {
  return static_cast<std::int64_t>(pairs) * (pairs + 1) / 2;
}

/// P(T+ <= t) for the Wilcoxon signed-rank statistic T+ of n independent differences symmetric
/// about 0: every rank 1..n counts or not with probability 1/2.
/// Wilcoxon, "Individual comparisons by ranking methods", Biometrics Bulletin 1 (1945), 80-83;
/// the recursion is in Hollander & Wolfe, "Nonparametric Statistical Methods", section 3.1.
double signed_rank_cdf(int pairs, std::int64_t t);

/// k = the number of t with P(T+ <= t) <= look_alpha / 2. The interval W_(k) .. W_(M+1-k) of the
/// sorted Walsh averages then misses the centre with probability at most look_alpha; 0 when no
/// interval of this level exists for so few pairs. Hollander & Wolfe, section 3.3.
std::int64_t signed_rank_k(int pairs, double look_alpha);

/// Up to this many values a side the null distribution is exact; beyond it the normal
/// approximation with continuity correction is used, whose tails are heavier than the exact ones,
/// so that it errs on the side of wider intervals.
inline constexpr int kExactSessions = 50;

/// P(U <= u) for the Mann-Whitney statistic U, the number of pairs (x, y) with x < y, of m and n
/// independent values of one continuous distribution.
/// Mann & Whitney, "On a test of whether one of two random variables is stochastically larger than
/// the other", Ann. Math. Statist. 18 (1947), 50-60, with the recursion of its section 3.
double mann_whitney_cdf(int m, int n, std::int64_t u);

/// k = the number of u with P(U <= u) <= alpha / 2. The interval D_(k) .. D_(mn+1-k) of the sorted
/// differences y - x then misses the shift with probability at most alpha; 0 when so few values
/// bear no interval of this level. Hollander, Wolfe & Chicken, "Nonparametric Statistical Methods",
/// 3rd edition (2014), section 4.3.
std::int64_t mann_whitney_k(int m, int n, double alpha);

}  // namespace perf
