#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/rows/comparison_rows.h"
#include "analyzer/statistics/centre_and_spread.h"
#include "analyzer/statistics/shift.h"
#include "schema/readings.h"

namespace perf {
namespace {

bool is_pruned(const Sample& sample) {
  return sample.block != nullptr && sample.block->pruned.has_value();
}

void collect_names(const Sample& sample, std::vector<std::string>& names) {
  if (!sample.block) {
    return;
  }
  for (const Step& step : sample.block->steps) {
    for (const auto& [name, seconds] : step.phases) {
      if (!step.warmup && std::ranges::find(names, name) == names.end()) {
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

// Paired differences of one quantity, on both scales.
struct Differences {
  std::vector<double> seconds, logarithms;

  void add(double base, double head) {
    seconds.push_back(head - base);
    if (const auto difference = log_ratio(base, head)) {
      logarithms.push_back(*difference);
    }
  }
};

PhaseChange change_of(std::span<const PairedSample> pairs, const std::string& phase, double level,
                      double step_seconds) {
  std::vector<double> base, head;
  Differences differences;
  for (const PairedSample& pair : pairs) {
    const std::vector<double> at_base = seconds_in_phase(pair.base, phase);
    const std::vector<double> at_head = seconds_in_phase(pair.head, phase);
    base.insert(base.end(), at_base.begin(), at_base.end());
    head.insert(head.end(), at_head.begin(), at_head.end());
    differences.add(median(at_base), median(at_head));
  }
  PhaseChange change;
  change.name = phase;
  change.base = median(base);
  change.head = median(head);
  if (!differences.logarithms.empty() && change.base > 0) {
    change.change = relative_change(estimate_centre(differences.logarithms));
  }
  const std::optional<Shift> shift = estimate_shift(differences.logarithms, level);
  if (shift) {
    change.interval = relative_interval(*shift);
  }
  change.moved = shift && excludes_zero(*shift);
  if (step_seconds != 0) {
    change.share = estimate_centre(differences.seconds) / step_seconds;
  }
  return change;
}

// The step's own change in seconds; 0 where it may be chance.
double seconds_of_step(std::span<const PairedSample> pairs, double alpha) {
  Differences differences;
  for (const PairedSample& pair : pairs) {
    differences.add(pair.base.value, pair.head.value);
  }
  const std::optional<Shift> shift = estimate_shift(differences.logarithms, alpha);
  return shift && excludes_zero(*shift) ? estimate_centre(differences.seconds) : 0;
}

}  // namespace

std::vector<PhaseChange> phase_changes(std::span<const PairedSample> pairs, double alpha) {
  if (std::ranges::any_of(pairs, is_pruned, &PairedSample::head) ||
      std::ranges::any_of(pairs, is_pruned, &PairedSample::base)) {
    return {};  // their phases are gone with their steps
  }
  std::vector<std::string> names;
  for (const auto side : {&PairedSample::head, &PairedSample::base}) {
    for (const PairedSample& pair : pairs) {
      collect_names(pair.*side, names);
    }
  }
  std::vector<PhaseChange> changes;
  const double level = alpha / static_cast<double>(std::max<std::size_t>(names.size(), 1));
  const double step_seconds = seconds_of_step(pairs, alpha);
  for (const std::string& name : names) {
    changes.push_back(change_of(pairs, name, level, step_seconds));
  }
  return changes;
}

std::optional<WarmupBenefit> warmup_benefit(const MetricSamples& series) {
  std::vector<double> first, steady;
  for (const Sample& sample : series.head) {
    if (!series.of_steps || !sample.block || sample.block->steps.empty()) {
      continue;
    }
    const Step& opening = sample.block->steps.front();
    std::vector<double> timed = timed_steps(*sample.block);
    if (!opening.warmup) {
      timed.erase(timed.begin());
    }
    if (!timed.empty()) {
      first.push_back(opening.seconds);
      steady.push_back(median(std::move(timed)));
    }
  }
  if (first.empty()) {
    return std::nullopt;
  }
  WarmupBenefit benefit;
  benefit.first = median(std::move(first));
  benefit.steady = median(std::move(steady));
  const double change = benefit.first / benefit.steady - 1;
  if (std::isfinite(change)) {  // extremes have no ratio that a double holds
    benefit.change = change;
  }
  return benefit;
}

}  // namespace perf
