#include "reporter/svg/process_picture.h"

#include "reporter/escape/visible.h"
#include "reporter/svg/session.h"

namespace perf::reporter::svg {

std::string process_picture(const MeasuredWorkload& measured, const Metric& metric, double width) {
  const std::string name = shortened(one_line(metric.name), 30);
  Session session;
  session.title = name;
  session.label = name + " of every process of " + shortened(one_line(measured.workload), 200);
  session.unit = shortened(one_line(metric.unit), 10);
  session.processes = measured.processes.size();
  for (std::size_t process = 0; process < measured.processes.size(); ++process) {
    const MeasuredProcess& one = measured.processes[process];
    if (const auto value = one.values.find(metric.name); value != one.values.end()) {
      session.dots.push_back({place_in_session(process, 0, 1), value->second, one.side});
    }
  }
  return session_picture(session, width);
}

}  // namespace perf::reporter::svg
