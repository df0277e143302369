#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/samples/standing.h"
#include "schema/report.h"

namespace perf {

/// Counts of the judged comparisons by verdict, and the worst of them.
Summary summarize(const std::vector<Comparison>& rows);

/// Sorts the rows by workload, then metric: the order of a report.
void sort_rows(std::vector<Comparison>& rows);

/// The first row of a metric of a workload; null where there is none.
template <class Rows>
auto* find_row(const std::string& workload, const Metric& metric, Rows& rows) {
  const auto found = std::ranges::find_if(rows, [&](const Comparison& row) {
    return row.workload == workload && row.metric == metric;
  });
  return found == rows.end() ? nullptr : &*found;
}

/// The geometric mean row of every family (the part of a workload's name before the first `/`) and
/// metric with at least two judged workloads that have a change and an interval, sorted by family
/// and metric. Rows that compare two settings are left out: their changes are of different things,
/// and a workload that is varied would count once for each value. What runs the same program counts
/// with a change of exactly 0, where anything of its family was measured.
///
/// With e_i = ln(1 + change_i) and the ends l_i, h_i of row i's interval on the same scale, over k
/// rows: change = exp(mean e) - 1, interval = exp(mean e - sqrt(sum (e_i - l_i)^2) / k) - 1 to
/// exp(mean e + sqrt(sum (h_i - e_i)^2) / k) - 1. That takes the rows' errors as independent, as
/// their pairs are, and their intervals as of one level; it is shown, and nothing is judged by it.
std::vector<FamilyMean> family_means(const std::vector<Comparison>& rows);

/// Speed, size and quality of the workloads that report, at head, both metrics in bytes and metrics
/// of quality: numbers without a dimension ("1", "%") or in dB, such as errors, ratios of signal to
/// noise, perplexities. Medians over head's invocations; what the collector measured itself
/// (peak_rss) is no size of the result.
std::vector<TradeOff> trade_offs(const Standing& standing);

/// What a report is left with that judged something and decided nothing: inconclusive rows, none
/// regressed, improved, failed, or measured to be unchanged. Of one that has its summary; nothing for any other.
std::optional<Undecided> undecided_of(const Standing& standing, const Report& report);

}  // namespace perf
