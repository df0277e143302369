#include <algorithm>
#include <random>

#include "tests/reporter/samples.h"

namespace perf::samples {
namespace {

constexpr int kWarmup = 2;
constexpr double kNoise = 0.012, kDrift = 0.01, kStraggler = 0.05;

/// Uniform draws alone, so that every standard library makes the same.
class Noise {
 public:
  double uniform() { return static_cast<double>(engine_()) / 4294967296.0; }
  double normal() { return uniform() + uniform() + uniform() + uniform() - 2; }

 private:
  std::mt19937 engine_{20261122};
};

std::vector<Step> steps_around(double seconds, int count, Noise& noise) {
  std::vector<Step> steps;
  for (int i = 0; i < kWarmup + count; ++i) {
    const bool warmup = i < kWarmup;
    double value = seconds * (1 + kNoise * noise.normal()) * (warmup ? 1.6 - 0.4 * i : 1);
    if (noise.uniform() < kStraggler) {
      value *= 1.1;
    }
    steps.push_back({i, warmup, value, std::nullopt});
  }
  return steps;
}

bool is_measured(const Comparison& comparison) {
  return comparison.base && comparison.head;
}

MeasuredProcess process_of(const std::vector<Comparison*>& rows, Side side, int pair, int pairs,
                           int steps, Noise& noise) {
  MeasuredProcess process;
  process.side = side;
  process.pair = pair;
  const double drift = 1 + kDrift * pair / pairs;
  for (const Comparison* row : rows) {
    const double median = side == Side::base ? row->base->median : row->head->median;
    const double value = median * drift * (1 + kNoise * noise.normal());
    if (row->metric == kStepTime) {
      process.steps = steps_around(value, steps, noise);
    }
    process.values[row->metric.name] = value;
  }
  return process;
}

void add_pair_changes(const std::vector<Comparison*>& rows, const MeasuredWorkload& one) {
  for (Comparison* row : rows) {
    row->pair_changes.clear();
    for (std::size_t i = 0; i + 1 < one.processes.size(); i += 2) {
      const bool base_first = one.processes[i].side == Side::base;
      const MeasuredProcess& base = one.processes[base_first ? i : i + 1];
      const MeasuredProcess& head = one.processes[base_first ? i + 1 : i];
      const std::string& metric = row->metric.name;
      row->pair_changes.push_back(head.values.at(metric) / base.values.at(metric) - 1);
    }
  }
}

}  // namespace

std::vector<MeasuredWorkload> measure(Report& report, int pairs, int steps) {
  Noise noise;
  std::vector<MeasuredWorkload> measured;
  for (std::size_t at = 0; at < report.comparisons.size(); ++at) {
    const Comparison& first = report.comparisons[at];
    const auto known = std::find_if(measured.begin(), measured.end(), [&](const auto& one) {
      return one.workload == first.workload && one.params == first.params;
    });
    if (known != measured.end()) {
      continue;
    }
    std::vector<Comparison*> rows;
    for (Comparison& row : report.comparisons) {
      if (row.workload == first.workload && row.params == first.params && is_measured(row)) {
        rows.push_back(&row);
      }
    }
    if (rows.empty()) {
      continue;
    }
    MeasuredWorkload one{first.workload, first.params, {}};
    for (int pair = 0; pair < pairs; ++pair) {
      const bool base_first = noise.uniform() < 0.5;
      for (const Side side :
           {base_first ? Side::base : Side::head, base_first ? Side::head : Side::base}) {
        one.processes.push_back(process_of(rows, side, pair, pairs, steps, noise));
        one.processes.back().start_order = static_cast<std::int64_t>(one.processes.size()) - 1;
      }
    }
    add_pair_changes(rows, one);
    for (MeasuredProcess& process : one.processes) {
      process.values.erase(kStepTime.name);
    }
    measured.push_back(std::move(one));
  }
  return measured;
}

}  // namespace perf::samples
