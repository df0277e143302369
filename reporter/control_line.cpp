#include "reporter/control_line.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "reporter/change.h"

namespace perf::reporter {

Prose control_line(const Report& report) {
  if (report.controls.empty()) {
    return {};
  }
  const auto quiet = std::count_if(report.controls.begin(), report.controls.end(),
                                   [](const ControlResult& control) { return !control.alarmed; });
  double most = 0;
  for (const ControlResult& control : report.controls) {
    most = std::max(most, std::abs(control.change.value_or(0)));
  }
  Prose line{words("control arms: "),
             number(std::to_string(quiet) + " of " + std::to_string(report.controls.size())),
             words(" quiet; base against itself moved by "), number(rough_percentage(most)),
             words(" at most")};
  bool first = true;
  for (const ControlResult& control : report.controls) {
    if (!control.alarmed) {
      continue;
    }
    line.push_back(first ? Span{Tone::bad, "; called changed"} : words(","));
    line.push_back(words(first ? ": " : " "));
    line.push_back(name(control.workload));
    line.push_back(words(" "));
    line.push_back(name(control.metric.name));
    if (control.change) {
      line.push_back(words(" "));
      line.push_back(number(change_text(*control.change, control.interval)));
    }
    first = false;
  }
  return line;
}

}  // namespace perf::reporter
