#pragma once

#include <cstdint>

namespace perf {

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
