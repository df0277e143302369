#include "reporter/svg/step_picture.h"

#include <algorithm>
#include <vector>

#include "reporter/escape/visible.h"
#include "reporter/svg/session.h"

namespace perf::reporter::svg {
namespace {

std::vector<SessionDot> dots_of(const MeasuredWorkload& measured) {
  std::vector<SessionDot> dots;
  for (std::size_t process = 0; process < measured.processes.size(); ++process) {
    const MeasuredProcess& one = measured.processes[process];
    for (std::size_t i = 0; i < one.steps.size(); ++i) {
      dots.push_back({place_in_session(process, i, one.steps.size()), one.steps[i].seconds,
                      one.side, one.steps[i].warmup ? Mark::warmup : Mark::measured});
    }
  }
  return dots;
}

}  // namespace

std::string step_picture(const MeasuredWorkload& measured, double width) {
  Session session;
  session.title = "Steps";
  session.label = "Every step of " + shortened(one_line(measured.workload), 200);
  session.unit = "s";
  session.processes = measured.processes.size();
  session.dots = dots_of(measured);
  const bool warms_up = std::any_of(session.dots.begin(), session.dots.end(),
                                    [](const auto& dot) { return dot.mark == Mark::warmup; });
  if (warms_up) {
    session.remarks.push_back("warm-up hollow");
  }
  return session_picture(session, width);
}

}  // namespace perf::reporter::svg
