#include <algorithm>
#include <string>

#include "analyzer/show/views.h"
#include "schema/verdict.h"

namespace perf {
namespace {

const Comparison* row_like(const Comparison& row, const std::vector<Comparison>& rows) {
  const auto found = std::find_if(rows.begin(), rows.end(), [&row](const Comparison& other) {
    return other.workload == row.workload && other.metric == row.metric;
  });
  return found == rows.end() ? nullptr : &*found;
}

bool same(const std::optional<Interval>& a, const std::optional<Interval>& b) {
  return a.has_value() == b.has_value() && (!a || (a->low == b->low && a->high == b->high));
}

bool agree(const Comparison& a, const Comparison& b) {
  return a.verdict == b.verdict && a.change == b.change && same(a.interval, b.interval) &&
         a.pairs == b.pairs;
}

std::string verdict_text(const Comparison* row) {
  return row == nullptr || !row->verdict ? "no verdict" : std::string(to_string(*row->verdict));
}

}  // namespace

std::vector<Warning> differences_from(const Report& stored, const Report& again) {
  std::vector<Warning> warnings;
  for (const Comparison& row : stored.comparisons) {
    if (!row.judged || row.pairs == 0) {
      continue;
    }
    const Comparison* other = row_like(row, again.comparisons);
    if (other == nullptr || !agree(row, *other)) {
      const bool same_word = verdict_text(other) == verdict_text(&row);
      warnings.push_back(
          {"not_reproduced", row.workload + " " + row.metric.name + ": the stored samples give " +
                                 (same_word ? "another change" : verdict_text(other)) +
                                 ", the stored report says " + verdict_text(&row) +
                                 ": one of them was changed, or another version analyzed them"});
    }
  }
  return warnings;
}

}  // namespace perf
