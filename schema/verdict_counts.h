#pragma once

#include <map>
#include <vector>

#include "schema/report.h"
#include "schema/verdict.h"

namespace perf {

/// How many of the judged comparisons have each verdict; every verdict has an entry.
inline std::map<Verdict, int> verdict_counts(const std::vector<Comparison>& comparisons) {
  std::map<Verdict, int> counts;
  for (const Verdict verdict : kVerdicts) {
    counts[verdict] = 0;
  }
  for (const Comparison& comparison : comparisons) {
    if (comparison.judged && comparison.verdict) {
      ++counts[*comparison.verdict];
    }
  }
  return counts;
}

}  // namespace perf
