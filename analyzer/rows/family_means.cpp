#include "analyzer/rows/family_means.h"

#include <cmath>
#include <map>
#include <string>
#include <utility>

namespace perf {
namespace {

constexpr int kFewest = 2;  // workloads

struct Sum {
  int workloads = 0;
  double change = 0;            ///< of ln(1 + change)
  double below = 0, above = 0;  ///< of the squared arms of the intervals

  void add(double estimate, const Interval& interval) {
    const double to_low = estimate - std::log1p(interval.low);
    const double to_high = std::log1p(interval.high) - estimate;
    ++workloads;
    change += estimate;
    below += to_low * to_low;
    above += to_high * to_high;
  }
};

}  // namespace

std::vector<FamilyMean> family_means(const std::vector<Comparison>& rows) {
  std::map<std::pair<std::string, std::string>, Sum> sums;  // by family and metric
  for (const Comparison& row : rows) {
    const std::size_t slash = row.workload.find('/');
    // "To zero" and "from zero" have no place in a mean of ratios.
    const bool usable = row.judged && !row.base_params && row.change && row.interval &&
                        *row.change > -1 && row.interval->low > -1;
    if (usable && slash != std::string::npos) {
      sums[{row.workload.substr(0, slash), row.metric.name}].add(std::log1p(*row.change),
                                                                 *row.interval);
    }
  }
  std::vector<FamilyMean> means;
  for (const auto& [key, sum] : sums) {
    if (sum.workloads < kFewest) {
      continue;
    }
    const double mean = sum.change / sum.workloads;
    FamilyMean family;
    family.family = key.first;
    family.metric = key.second;
    family.workloads = sum.workloads;
    family.change = std::expm1(mean);
    family.interval = Interval{std::expm1(mean - std::sqrt(sum.below) / sum.workloads),
                               std::expm1(mean + std::sqrt(sum.above) / sum.workloads)};
    means.push_back(std::move(family));
  }
  return means;
}

}  // namespace perf
