#include "reporter/control_line.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "reporter/change.h"

namespace perf::reporter {
namespace {

/// Below the first look an arm has no interval: it cannot be called anything, so it is not quiet.
bool has_spoken(const ControlResult& control) {
  return control.alarmed || control.interval;
}

}  // namespace

Prose control_line(const Report& report) {
  if (report.controls.empty()) {
    return {};
  }
  int quiet = 0, alarmed = 0, too_few = 0;
  double most = 0;
  for (const ControlResult& control : report.controls) {
    if (!has_spoken(control)) {
      ++too_few;
      continue;
    }
    (control.alarmed ? alarmed : quiet) += 1;
    most = std::max(most, std::abs(control.change.value_or(0)));
  }
  Prose line{words("control arms: ")};
  if (quiet + alarmed > 0) {
    line.push_back(number(std::to_string(quiet) + " of " + std::to_string(quiet + alarmed)));
    line.push_back(words(" quiet; base against itself moved by "));
    line.push_back(number(rough_percentage(most)));
    line.push_back(words(" at most"));
  }
  if (too_few > 0) {
    line.push_back(words(quiet + alarmed > 0 ? "; " : ""));
    line.push_back(number(std::to_string(too_few)));
    line.push_back(words(" had too few pairs"));
  }
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
