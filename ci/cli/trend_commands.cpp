#include "ci/cli/trend_commands.h"

#include <string>
#include <vector>

#include "ci/cli/reproduce.h"

namespace perf {

void name_place(const Options& options, TrendReport& report) {
  const std::string place = place_options(options);
  const auto complete = [&place](std::string& command) {
    if (!command.empty()) {
      command += place;
    }
  };
  for (TrendSeries& series : report.series) {
    for (std::vector<ChangePoint>* steps : {&series.change_points, &series.suspects}) {
      for (ChangePoint& step : *steps) {
        complete(step.confirm);
      }
    }
    if (series.trend) {
      complete(series.trend->confirm);
    }
    for (Drift& drift : series.drifts) {
      complete(drift.confirm);
    }
  }
  for (MachineEvent& event : report.machine_events) {
    complete(event.confirm);
  }
}

}  // namespace perf
