#include "analyzer/show/views.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "analyzer/rows/comparison_rows.h"
#include "analyzer/samples/samples.h"
#include "analyzer/statistics/centre_and_spread.h"
#include "schema/readings.h"
#include "schema/verdict.h"

namespace perf {
namespace {

std::string why_apart(const Invocation& invocation, const Plan& plan) {
  const bool is_control =
      std::ranges::any_of(plan.workloads, [&invocation](const PlannedWorkload& planned) {
        return planned.workload.name == invocation.workload && !planned.control_of.empty();
      });
  return invocation.counted            ? "counted"
         : invocation.traced           ? "traced"
         : invocation.layout_seed != 0 ? "relinked"
         : is_control                  ? "control"
                                       : "";
}

void describe_steps(const Invocation& invocation, ShownProcess& shown) {
  shown.blocks = static_cast<int>(invocation.blocks.size());
  for (const Block& block : invocation.blocks) {
    shown.pruned |= block.pruned.has_value();
    shown.steps += block.pruned ? block.pruned->timed : static_cast<int>(timed_steps(block).size());
  }
  if (shown.blocks == 1) {
    shown.step_time = step_time(invocation.blocks.front());
  }
}

ShownProcess shown_process(const Invocation& invocation, const Plan& plan) {
  ShownProcess shown;
  shown.start_order = invocation.start_order;
  shown.workload = invocation.workload;
  shown.side = invocation.side;
  shown.pair = invocation.pair;
  shown.attempt = invocation.attempt;
  shown.paired = invocation.paired;
  shown.apart = why_apart(invocation, plan);
  const ProcessResult& process = invocation.process;
  shown.exit_code = process.exit_code;
  shown.signal = process.signal;
  shown.timed_out = process.timed_out;
  shown.failure = invocation.failure;
  shown.wall = process.wall;
  shown.peak_rss = process.peak_rss;
  describe_steps(invocation, shown);
  if (!invocation.ok()) {
    shown.stdout_text = process.stdout_text;
    shown.stderr_text = process.stderr_text;
  }
  return shown;
}

/// Values of the processes of one side.
struct SideValues {
  int processes = 0;
  std::vector<double> step_times, peaks;
};

/// Workload and side, base first.
using ValuesBySide = std::map<std::pair<std::string, bool>, SideValues>;

void add_blocks(const Invocation& invocation, const WorkloadSamples& samples,
                ValuesBySide& values_by_side) {
  for (const auto& [name, block] :
       named_blocks(invocation, invocation.workload, samples.several_blocks)) {
    SideValues& one = values_by_side[{name, invocation.side == Side::head}];
    ++one.processes;
    if (const std::optional<double> seconds = step_time(*block)) {
      one.step_times.push_back(*seconds);
    }
    if (invocation.process.peak_rss) {
      one.peaks.push_back(static_cast<double>(*invocation.process.peak_rss));
    }
  }
}

std::vector<ShownMedian> medians_of(const Plan& plan, const Measurements& history) {
  ValuesBySide values_by_side;
  for (const PlannedWorkload& planned : plan.workloads) {
    if (planned.control_of.empty()) {
      const WorkloadSamples samples = audit_samples_of(planned, plan, history, /*ended=*/true);
      for (const auto* side : {&samples.base, &samples.head}) {
        for (const Invocation* invocation : *side) {
          add_blocks(*invocation, samples, values_by_side);
        }
      }
    }
  }
  const auto middle = [](const std::vector<double>& values) {
    return values.empty() ? std::nullopt : std::optional(median(values));
  };
  std::vector<ShownMedian> medians;
  for (const auto& [key, one] : values_by_side) {
    medians.push_back({key.first, key.second ? Side::head : Side::base, one.processes,
                       middle(one.step_times), middle(one.peaks)});
  }
  return medians;
}

std::string machine_of(const RecordedHistory& recorded, const std::string& fingerprint) {
  for (const Environment& environment : recorded.environments) {
    const auto model = environment.machine.find("cpu_model");
    if (environment.fingerprint == fingerprint && model != environment.machine.end()) {
      return model->second;
    }
  }
  return {};
}

ShownMetric shown_series(const RecordedSeries& series, const RecordedHistory& recorded,
                         const std::string& size) {
  ShownMetric shown;
  shown.workload = series.name;
  shown.params = series.params;
  shown.metric = series.metric;
  shown.size = size;
  shown.fingerprint = series.fingerprint;
  shown.outside = series.outside;
  shown.machine = machine_of(recorded, series.fingerprint);
  std::set<std::uint32_t> runs;
  std::vector<double> values;
  for (const RecordedValue& value : series.values) {
    values.push_back(value.value);
    runs.insert(value.run);
  }
  shown.processes = static_cast<int>(values.size());
  shown.runs = static_cast<int>(runs.size());
  const auto [min, max] = std::ranges::minmax(values);
  shown.min = min;
  shown.max = max;
  const CentreAndSpread found = centre_and_spread(values);
  shown.median = found.centre;
  if (found.count > 1 && found.centre != 0) {
    shown.noise = found.spread / std::abs(found.centre);
  }
  return shown;
}

bool agree(const Comparison& a, const Comparison& b) {
  return a.verdict == b.verdict && a.change == b.change && a.interval == b.interval &&
         a.pairs == b.pairs && a.basis == b.basis;
}

std::string verdict_text(const Comparison* row) {
  return row == nullptr || !row->verdict ? "no verdict" : std::string(to_string(*row->verdict));
}

}  // namespace

RunView run_view(const ListedRun& run, const Plan& plan, const Policy& policy,
                 const Measurements& history) {
  RunView view{run, plan, policy, history.measured, {}, medians_of(plan, history)};
  for (const Invocation& invocation : history.invocations) {
    view.processes.push_back(shown_process(invocation, plan));
  }
  for (const PlannedWorkload& planned : plan.workloads) {
    const auto warmup = audit_samples_of(planned, plan, history, /*ended=*/true).warmup;
    for (ShownProcess& one : view.processes) {
      const bool is_its = warmup && one.apart.empty() && one.workload == planned.workload.name;
      if (is_its && one.pair == warmup->pair && one.attempt == warmup->head->attempt) {
        one.apart = "warm-up";
      }
    }
  }
  return view;
}

std::vector<ShownMetric> series_at_revision(
    const std::vector<std::pair<std::string, RecordedHistory>>& recorded) {
  std::vector<ShownMetric> all;
  for (const auto& [size, history] : recorded) {
    for (const RecordedSeries& series : history.series) {
      // Ratios to an anchor are no values of this commit.
      if (series.anchor.empty() && !series.values.empty()) {
        all.push_back(shown_series(series, history, size));
      }
    }
  }
  std::ranges::stable_sort(all, {}, [](const ShownMetric& one) {
    return std::tie(one.workload, one.metric.name, one.size, one.params, one.fingerprint,
                    one.outside);
  });
  return all;
}

std::vector<Warning> differences_from(const Report& stored, const Report& again) {
  std::vector<Warning> warnings;
  for (const Comparison& row : stored.comparisons) {
    if (!row.judged || (row.pairs == 0 && !row.is_same_program())) {
      continue;
    }
    const Comparison* other = find_row(row.workload, row.metric, again.comparisons);
    if (other == nullptr || !agree(row, *other)) {
      warnings.push_back({WarningKind::not_reproduced,
                          {},
                          {{"workload", row.workload},
                           {"metric", row.metric.name},
                           {"stored", verdict_text(&row)}}});
      if (verdict_text(other) != verdict_text(&row)) {
        warnings.back().about["again"] = verdict_text(other);
      }
    }
  }
  return warnings;
}

}  // namespace perf
