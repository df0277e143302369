#include <algorithm>
#include <utility>

#include "reporter/escape/visible.h"
#include "reporter/svg/drawing.h"
#include "reporter/svg/pictures.h"

namespace perf::reporter::svg {
namespace {

/// A group of these processes without dots yet; `what` of the workload is what it is called.
Group empty_group(const MeasuredWorkload& measured, const std::string& title,
                  const std::string& what, const std::string& unit) {
  const std::string workload = shortened(one_line(measured.workload), 200);
  return {title, what + " of " + workload, unit, measured.processes.size(), {}, {}};
}

/// Calls `draw` with each step, its place and its side.
void add_steps(const MeasuredWorkload& measured, const auto& draw) {
  for (std::size_t process = 0; process < measured.processes.size(); ++process) {
    const MeasuredProcess& one = measured.processes[process];
    for (std::size_t i = 0; i < one.steps.size(); ++i) {
      draw(one.steps[i], place_in_group(process, i, one.steps.size()), one.side);
    }
  }
}

/// A dot for each process that has a value of the metric.
void add_values(const MeasuredWorkload& measured, const std::string& metric, Group& group) {
  for (std::size_t process = 0; process < measured.processes.size(); ++process) {
    const MeasuredProcess& one = measured.processes[process];
    if (const auto value = one.values.find(metric); value != one.values.end()) {
      group.dots.push_back({place_in_group(process, 0, 1), value->second, one.side});
    }
  }
}

}  // namespace

std::string step_picture(const MeasuredWorkload& measured, double width) {
  Group group = empty_group(measured, "Steps", "Every step", "s");
  add_steps(measured, [&group](const auto& step, double at, Side side) {
    group.dots.push_back({at, step.seconds, side, step.warmup ? Mark::warmup : Mark::measured});
  });
  const bool warms_up =
      std::ranges::any_of(group.dots, [](const auto& dot) { return dot.mark == Mark::warmup; });
  if (warms_up) {
    group.remarks.push_back("warm-up hollow");
  }
  return group_picture(std::move(group), width);
}

std::string memory_picture(const MeasuredWorkload& measured, double width) {
  Group group = empty_group(measured, "Peak memory", "Memory of every process", "B");
  add_values(measured, kPeakRss.name, group);
  const std::size_t peaks = group.dots.size();
  add_steps(measured, [&group](const auto& step, double at, Side side) {
    if (step.rss) {
      group.dots.push_back({at, static_cast<double>(*step.rss), side, Mark::aside});
    }
  });
  if (group.dots.size() > peaks) {
    group.remarks.push_back("small: resident after a step");
  }
  return group_picture(std::move(group), width);
}

bool is_another(const Metric& metric) {
  return !(metric == kStepTime) && !(metric == kPeakRss);
}

std::string process_picture(const MeasuredWorkload& measured, const Metric& metric, double width) {
  const std::string name = shortened(one_line(metric.name), 30);
  Group group =
      empty_group(measured, name, name + " of every process", shortened(one_line(metric.unit), 10));
  add_values(measured, metric.name, group);
  return group_picture(std::move(group), width);
}

}  // namespace perf::reporter::svg
