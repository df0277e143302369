#include <algorithm>
#include <utility>

#include "reporter/escape/visible.h"
#include "reporter/svg/drawing.h"
#include "reporter/svg/pictures.h"

namespace perf::reporter::svg {
namespace {

/// A session of these processes without dots yet; `what` of the workload is what it is called.
Group session_of(const MeasuredWorkload& measured, const std::string& title,
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
void add_values(const MeasuredWorkload& measured, const std::string& metric, Group& session) {
  for (std::size_t process = 0; process < measured.processes.size(); ++process) {
    const MeasuredProcess& one = measured.processes[process];
    if (const auto value = one.values.find(metric); value != one.values.end()) {
      session.dots.push_back({place_in_group(process, 0, 1), value->second, one.side});
    }
  }
}

}  // namespace

std::string step_picture(const MeasuredWorkload& measured, double width) {
  Group session = session_of(measured, "Steps", "Every step", "s");
  add_steps(measured, [&session](const auto& step, double at, Side side) {
    session.dots.push_back({at, step.seconds, side, step.warmup ? Mark::warmup : Mark::measured});
  });
  const bool warms_up =
      std::ranges::any_of(session.dots, [](const auto& dot) { return dot.mark == Mark::warmup; });
  if (warms_up) {
    session.remarks.push_back("warm-up hollow");
  }
  return group_picture(std::move(session), width);
}

std::string memory_picture(const MeasuredWorkload& measured, double width) {
  Group session = session_of(measured, "Peak memory", "Memory of every process", "B");
  add_values(measured, kPeakRss.name, session);
  const std::size_t peaks = session.dots.size();
  add_steps(measured, [&session](const auto& step, double at, Side side) {
    if (step.rss) {
      session.dots.push_back({at, static_cast<double>(*step.rss), side, Mark::aside});
    }
  });
  if (session.dots.size() > peaks) {
    session.remarks.push_back("small: resident after a step");
  }
  return group_picture(std::move(session), width);
}

bool is_another(const Metric& metric) {
  return !(metric == kStepTime) && !(metric == kPeakRss);
}

std::string process_picture(const MeasuredWorkload& measured, const Metric& metric, double width) {
  const std::string name = shortened(one_line(metric.name), 30);
  Group session =
      session_of(measured, name, name + " of every process", shortened(one_line(metric.unit), 10));
  add_values(measured, metric.name, session);
  return group_picture(std::move(session), width);
}

}  // namespace perf::reporter::svg
