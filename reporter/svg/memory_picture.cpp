#include "reporter/svg/memory_picture.h"

#include "reporter/escape/visible.h"
#include "reporter/svg/session.h"
#include "schema/metric.h"

namespace perf::reporter::svg {
namespace {

void add_resident(const MeasuredProcess& one, std::size_t process, Session& session) {
  for (std::size_t i = 0; i < one.steps.size(); ++i) {
    if (one.steps[i].rss) {
      session.dots.push_back({place_in_session(process, i, one.steps.size()),
                              static_cast<double>(*one.steps[i].rss), one.side, Mark::aside});
    }
  }
}

}  // namespace

std::string memory_picture(const MeasuredWorkload& measured, double width) {
  Session session;
  session.title = "Peak memory";
  session.label = "Memory of every process of " + shortened(one_line(measured.workload), 200);
  session.unit = "B";
  session.processes = measured.processes.size();
  for (std::size_t process = 0; process < measured.processes.size(); ++process) {
    const MeasuredProcess& one = measured.processes[process];
    if (const auto peak = one.values.find(kPeakRss.name); peak != one.values.end()) {
      session.dots.push_back({place_in_session(process, 0, 1), peak->second, one.side});
    }
  }
  const std::size_t peaks = session.dots.size();
  for (std::size_t process = 0; process < measured.processes.size(); ++process) {
    add_resident(measured.processes[process], process, session);
  }
  if (session.dots.size() > peaks) {
    session.remarks.push_back("small: resident after a step");
  }
  return session_picture(session, width);
}

}  // namespace perf::reporter::svg
