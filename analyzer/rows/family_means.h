#pragma once

#include <vector>

#include "schema/report.h"

namespace perf {

/// The geometric mean row of every family (the part of a workload's name before the first `/`) and
/// metric with at least two judged workloads that have a change and an interval, sorted by family
/// and metric. Rows that compare two settings are left out: their changes are of different things,
/// and a workload that is varied would count once for each value.
///
/// With e_i = ln(1 + change_i) and the ends l_i, h_i of row i's interval on the same scale, over k
/// rows: change = exp(mean e) - 1, interval = exp(mean e - sqrt(sum (e_i - l_i)^2) / k) - 1 to
/// exp(mean e + sqrt(sum (h_i - e_i)^2) / k) - 1. That takes the rows' errors as independent, as
/// their pairs are, and their intervals as of one level; it is shown, and nothing is judged by it.
std::vector<FamilyMean> family_means(const std::vector<Comparison>& rows);

}  // namespace perf
