#pragma once

#include <span>

namespace perf {

/// How far the sessions of a series hang together: a slow week, a warm room. Sessions that follow
/// each other are then no independent values, and an interval that takes them for such is too
/// short.
struct SessionNoise {
  /// What the correlation of a session with the next may be, at most: an upper bound of 99 % for
  /// many sessions, of at least 92 % for ten, and at least 0.
  double correlation = 0;
  /// Half the width of an interval that knows of it over half the width of one that does not; at
  /// least 1.
  double widening = 1;
};

/// Judged from both sides' sessions in the order of time, each at least two values.
///
/// The correlation is the first autocorrelation r of the values about each side's own mean, over
/// both sides together: a change between the sides is none within one. Of so few sessions it is
/// small by about (1 + 3 rho)/n (Kendall, "Note on bias in the estimation of autocorrelation",
/// Biometrika 41 (1954), 403-404), which is put back, and its standard error is about 1/sqrt(N) of
/// N sessions (Bartlett, JRSS Suppl. 8 (1946), 27-41), of which 2.33 are added.
///
/// The variance of a mean of n such values is V/n with V = 1 + 2 sum_j (1 - j/n) rho^j, that is n/V
/// independent ones; and their sample variance is small by (n - V)/(n - 1). Both together: what one
/// side adds to the squared standard error is (n - 1)/(n (n/V - 1)) in place of 1/n. The
/// Hodges-Lehmann shift loses a little less than the mean does (Serfling, "The Wilcoxon two-sample
/// statistic on strongly mixing processes", Ann. Math. Statist. 39 (1968), 1202-1209: for normal
/// noise (6/pi) arcsin(rho/2) <= rho stands in place of rho), so that the mean's loss is safe.
SessionNoise session_noise(std::span<const double> base, std::span<const double> head);

}  // namespace perf
