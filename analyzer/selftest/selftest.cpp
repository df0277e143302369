#include "analyzer/selftest/selftest.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "analyzer/samples/samples.h"
#include "analyzer/statistics/centre_and_spread.h"
#include "schema/text/wording.h"

namespace perf {
namespace {

std::vector<const Comparison*> rows_of(const Report& report, const Plan& plan,
                                       const std::string& workload) {
  std::vector<const Comparison*> rows;
  for (const Comparison& row : report.comparisons) {
    const std::optional<std::size_t> planned = workload_of(row.workload, plan);
    if (planned && plan.workloads[*planned].workload.name == workload) {
      rows.push_back(&row);
    }
  }
  return rows;
}

const Metric& metric_of(PlantKind kind) {
  return kind == PlantKind::slowdown ? kStepTime : kPeakRss;
}

/// Whether the workload says in its environment line (docs/protocol.md, "plants") that it has a
/// parameter to plant this.
bool plants_by_itself(const std::vector<const Comparison*>& rows, const Report& report,
                      PlantKind kind) {
  const std::string wanted = "," + std::string(to_string(kind)) + ",";
  return std::ranges::any_of(rows, [&](const Comparison* row) {
    const auto facts = report.workload_facts.find(row->workload);
    return facts != report.workload_facts.end() && facts->second.contains("plants") &&
           ("," + facts->second.at("plants") + ",").find(wanted) != std::string::npos;
  });
}

std::string milliseconds(double seconds) {
  const auto tenths = static_cast<long>(std::lround(seconds * 1e4));
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " ms";
}

/// A period that the shortest of these steps holds often enough.
void choose_period(double shortest_step, Plant& plant) {
  plant.way = PlantWay::stop_and_go;
  plant.period = std::clamp(shortest_step / kPeriodsPerStep, kShortestPeriod, kLongestPeriod);
  if (shortest_step < kPeriodsPerStep * kShortestPeriod) {
    plant.refused = "its steps of " + milliseconds(shortest_step) +
                    " are too short to be stopped; they must last " +
                    milliseconds(kPeriodsPerStep * kShortestPeriod);
  }
}

Plant choose_plant(PlantKind kind, const std::string& workload,
                   const std::vector<const Comparison*>& rows, const Report& quiet) {
  Plant plant;
  plant.workload = workload;
  plant.kind = kind;
  double threshold = 0, smallest = std::numeric_limits<double>::infinity();
  for (const Comparison* row : rows) {
    if (row->metric == metric_of(kind) && row->base && row->base->median > 0) {
      threshold = std::max(threshold, row->threshold);
      smallest = std::min(smallest, row->base->median);
    }
  }
  if (threshold == 0) {
    plant.refused = "its " + metric_of(kind).name + " is not measured";
    return plant;
  }
  plant.amount = kPlantedThresholds * threshold;
  if (kind == PlantKind::allocation) {
    plant.amount = std::ceil(plant.amount * smallest + (smallest < kSmallestPeak ? smallest : 0));
    plant.way = PlantWay::preload;
  }
  if (plants_by_itself(rows, quiet, kind)) {
    plant.way = PlantWay::parameter;
  } else if (kind == PlantKind::slowdown) {
    choose_period(smallest, plant);
  }
  return plant;
}

/// Marks the plan and the stored run, whose numbers are not those of a revision.
Warning planted_warning(const Plant& plant) {
  const std::string kind(to_string(plant.kind)), way(to_string(plant.way));
  return {WarningKind::planted, {{kind, plant.amount}, {way, 1}}, {{"workload", plant.workload}}};
}

void set_parameter(const Plant& plant, PlannedWorkload& planned) {
  const std::string name = "plant-" + std::string(to_string(plant.kind));
  const bool whole = plant.kind == PlantKind::allocation;
  planned.base_params = planned.workload.params;
  (*planned.base_params)[name] = whole ? Param(std::int64_t{0}) : Param(0.0);
  planned.workload.params[name] =
      whole ? Param(static_cast<std::int64_t>(plant.amount)) : Param(plant.amount);
}

double seconds_of(const Measurements& measurements, const std::string& workload) {
  double seconds = 0;
  for (const Invocation& invocation : measurements.invocations) {
    seconds += invocation.workload == workload ? invocation.process.wall : 0;
  }
  return seconds;
}

SelftestRow begin_row(const Plant& plant, const Metric& metric, const Measurements& measurements) {
  SelftestRow row;
  row.plant = plant;
  row.workload = plant.workload;
  row.metric = metric;
  row.expected = plant.kind == PlantKind::nothing ? Verdict::unchanged : Verdict::regressed;
  row.seconds = seconds_of(measurements, plant.workload);
  return row;
}

void judge_quiet(const Comparison& seen, SelftestRow& row) {
  const bool changed = is_change(seen.verdict);
  row.outcome = changed ? SelftestOutcome::false_alarm : SelftestOutcome::passed;
  if (changed) {
    row.why = "nothing was planted";
  } else if (*seen.verdict == Verdict::inconclusive) {
    row.why = "no alarm, but not proven unchanged after " +
              counted(static_cast<std::size_t>(seen.pairs), "pair");
  }
}

/// How much longer head's processes took than base's, as the collector saw it from outside.
std::optional<double> wall_change(const Measurements& measurements, const std::string& workload) {
  std::vector<double> base, head;
  for (const Invocation& invocation : measurements.invocations) {
    if (invocation.workload == workload && invocation.ok()) {
      (invocation.side == Side::base ? base : head).push_back(invocation.process.wall);
    }
  }
  return base.empty() || head.empty()
             ? std::nullopt
             : std::optional(median(std::move(head)) / median(std::move(base)) - 1);
}

/// Why a plant from outside had no effect, if that shows beside the metric: then the gate is not to
/// blame. Empty if it had one.
std::string why_not_planted(const Plant& plant, const Comparison& seen,
                            const Measurements& measurements) {
  if (plant.way == PlantWay::preload && seen.base && seen.head &&
      seen.head->median - seen.base->median < plant.amount / 2) {
    return "the preloaded library did not reach the process with the most memory: is it linked "
           "statically, or started without its environment?";
  }
  const std::optional<double> slower = wall_change(measurements, plant.workload);
  if (plant.way == PlantWay::stop_and_go && slower && *slower < plant.amount / kPlantedThresholds) {
    return "stopped for " + percent(plant.amount) + " of its running time, it took only " +
           percent(std::max(*slower, 0.0)) +
           " longer from start to end: the machine is too busy for this test";
  }
  return {};
}

void judge_planted(const Comparison& seen, const Measurements& measurements, SelftestRow& row) {
  row.outcome = SelftestOutcome::caught;
  if (*seen.verdict == Verdict::regressed) {
    return;
  }
  row.why = why_not_planted(row.plant, seen, measurements);
  row.outcome = row.why.empty() ? SelftestOutcome::missed : SelftestOutcome::refused;
  if (row.why.empty()) {
    row.why = *seen.verdict == Verdict::inconclusive
                  ? "inconclusive after " + counted(static_cast<std::size_t>(seen.pairs), "pair")
                  : "called " + std::string(to_string(*seen.verdict));
  }
}

SelftestRow judged_row(const Plant& plant, const Comparison& seen,
                       const Measurements& measurements) {
  SelftestRow row = begin_row(plant, seen.metric, measurements);
  row.workload = seen.workload;
  row.threshold = seen.threshold;
  row.verdict = seen.verdict;
  row.change = seen.change;
  row.interval = seen.interval;
  row.pairs = seen.pairs;
  const bool decided = is_change(seen.verdict) || seen.verdict == Verdict::unchanged ||
                       (seen.verdict == Verdict::inconclusive && seen.look > 0);
  if (!decided) {
    row.outcome = SelftestOutcome::not_measured;
    if (seen.verdict == Verdict::inconclusive) {
      row.why = "the run ended before the first look";
    } else if (seen.warnings.empty()) {
      row.why = "no verdict";
    } else {
      row.reason = seen.warnings.front();
    }
    if (plant.way == PlantWay::preload && seen.verdict == Verdict::failed) {
      row.outcome = SelftestOutcome::refused;
      row.why = "it fails with the preloaded library";
    }
  } else if (plant.kind == PlantKind::nothing) {
    judge_quiet(seen, row);
  } else {
    judge_planted(seen, measurements, row);
  }
  return row;
}

/// A failure leaves one row, whatever its metric.
bool is_about(const Comparison& seen, const Plant& plant) {
  return seen.judged && (plant.kind == PlantKind::nothing || seen.verdict == Verdict::failed ||
                         seen.metric == metric_of(plant.kind));
}

void add_rows(const Plan& plan, const Plant& plant, const Report& report,
              const Measurements& measurements, std::vector<SelftestRow>& rows) {
  if (!plant.refused.empty()) {
    rows.push_back(begin_row(plant, metric_of(plant.kind), measurements));
    rows.back().outcome = SelftestOutcome::refused;
    rows.back().why = plant.refused;
    return;
  }
  bool any = false;
  for (const Comparison* seen : rows_of(report, plan, plant.workload)) {
    if (is_about(*seen, plant)) {
      rows.push_back(judged_row(plant, *seen, measurements));
      any = true;
    }
  }
  if (!any) {
    const Metric& metric = plant.kind == PlantKind::nothing ? kStepTime : metric_of(plant.kind);
    rows.push_back(begin_row(plant, metric, measurements));
    rows.back().why = "the run ended before this row";
  }
}

}  // namespace

std::vector<Plant> choose_plants(PlantKind kind, const Plan& plan, const Report& quiet) {
  std::vector<Plant> plants;
  for (const PlannedWorkload& planned : plan.workloads) {
    const std::string& name = planned.workload.name;
    plants.push_back(choose_plant(kind, name, rows_of(quiet, plan, name), quiet));
  }
  return plants;
}

Plan planted_plan(const Plan& plan, const std::vector<Plant>& plants) {
  Plan planted = plan;
  planted.workloads.clear();
  for (const Plant& plant : plants) {
    const auto found =
        std::ranges::find(plan.workloads, plant.workload,
                          [](const PlannedWorkload& planned) { return planned.workload.name; });
    if (found == plan.workloads.end() || !plant.refused.empty()) {
      continue;
    }
    planted.workloads.push_back(*found);
    if (plant.way == PlantWay::parameter) {
      set_parameter(plant, planted.workloads.back());
    }
    planted.warnings.push_back(planted_warning(plant));
  }
  return planted;
}

std::vector<SelftestRow> selftest_rows(const Plan& plan, const std::vector<Plant>& plants,
                                       const Report& report, const Measurements& measurements) {
  std::vector<SelftestRow> rows;
  for (const PlannedWorkload& planned : plan.workloads) {
    Plant nothing;
    nothing.workload = planned.workload.name;
    const auto plant = std::ranges::find(plants, nothing.workload, &Plant::workload);
    add_rows(plan, plant == plants.end() ? nothing : *plant, report, measurements, rows);
  }
  return rows;
}

bool is_answered(const std::vector<SelftestRow>& rows) {
  return std::ranges::all_of(rows, [](const SelftestRow& row) {
    const bool decided = row.verdict && *row.verdict != Verdict::inconclusive;
    return decided || !row.plant.refused.empty();
  });
}

GateState gate_state(const std::vector<SelftestRow>& rows) {
  const auto any = [&rows](SelftestOutcome outcome) {
    return std::ranges::find(rows, outcome, &SelftestRow::outcome) != rows.end();
  };
  if (any(SelftestOutcome::missed) || any(SelftestOutcome::false_alarm)) {
    return GateState::broken;
  }
  if (!any(SelftestOutcome::caught) || any(SelftestOutcome::refused) ||
      any(SelftestOutcome::not_measured)) {
    return GateState::unproven;
  }
  return GateState::works;
}

}  // namespace perf
