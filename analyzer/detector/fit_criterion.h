#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace perf {

/// Schwarz's criterion of a fit with normal residuals, less what all fits of the same points share:
/// n ln(squares / n) + parameters ln n; the least is best. G. Schwarz, "Estimating the dimension of
/// a model", Annals of Statistics 6 (1978), 461-464.
double criterion(double squares, std::size_t points, std::size_t parameters);

/// The same of levels between the cuts (ascending), each cut a place and a level; `others` are the
/// parameters of what was taken out of y before.
double levels_criterion(std::span<const double> y, const std::vector<std::size_t>& cuts,
                        std::size_t others = 0);

/// The y less a line through 0 at the first of them.
std::vector<double> less_line(std::span<const double> y, double slope);

}  // namespace perf
