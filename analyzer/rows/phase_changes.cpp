#include "analyzer/rows/phase_changes.h"

#include <algorithm>
#include <string>

#include "analyzer/statistics/log_ratio.h"
#include "analyzer/statistics/side_stats.h"
#include "analyzer/statistics/walsh_averages.h"

namespace perf {
namespace {

void collect_names(const Sample& sample, std::vector<std::string>& names) {
  if (!sample.block) {
    return;
  }
  for (const Step& step : sample.block->steps) {
    for (const auto& [name, seconds] : step.phases) {
      if (!step.warmup && std::find(names.begin(), names.end(), name) == names.end()) {
        names.push_back(name);
      }
    }
  }
}

std::vector<double> seconds_in_phase(const Sample& sample, const std::string& phase) {
  std::vector<double> values;
  for (const Step& step : sample.block->steps) {
    if (step.warmup) {
      continue;
    }
    double total = 0;
    for (const auto& [name, seconds] : step.phases) {
      total += name == phase ? seconds : 0;
    }
    values.push_back(total);
  }
  return values;
}

PhaseChange change_of(std::span<const PairedSample> pairs, const std::string& phase) {
  std::vector<double> base, head, differences;
  for (const PairedSample& pair : pairs) {
    const std::vector<double> at_base = seconds_in_phase(pair.base, phase);
    const std::vector<double> at_head = seconds_in_phase(pair.head, phase);
    base.insert(base.end(), at_base.begin(), at_base.end());
    head.insert(head.end(), at_head.begin(), at_head.end());
    if (const auto difference = log_ratio(median(at_base), median(at_head))) {
      differences.push_back(*difference);
    }
  }
  PhaseChange change;
  change.name = phase;
  change.base = median(base);
  change.head = median(head);
  if (!differences.empty() && change.base > 0) {
    std::sort(differences.begin(), differences.end());
    change.change = relative_change(hodges_lehmann(differences));
  }
  return change;
}

}  // namespace

std::vector<PhaseChange> phase_changes(std::span<const PairedSample> pairs) {
  std::vector<std::string> names;
  for (const PairedSample& pair : pairs) {
    collect_names(pair.head, names);
  }
  for (const PairedSample& pair : pairs) {
    collect_names(pair.base, names);
  }
  std::vector<PhaseChange> changes;
  changes.reserve(names.size());
  for (const std::string& name : names) {
    changes.push_back(change_of(pairs, name));
  }
  return changes;
}

}  // namespace perf
