#include <set>
#include <string>
#include <vector>

#include "reporter/render.h"
#include "reporter/svg/file_name.h"
#include "reporter/svg/history_picture.h"
#include "reporter/svg/picture.h"
#include "reporter/trend/histories.h"

namespace perf {
std::vector<Picture> trend_plots(const TrendReport& report) {
  using namespace reporter;
  const Histories histories(report);
  std::vector<Picture> pictures;
  std::set<std::string> taken;
  for (const TrendSeries& series : report.series) {
    const std::string name = svg::file_name(
        "history", series.key.workload + "-" + series.metric.name + "-" + series.anchor_name,
        taken);
    pictures.push_back({name, svg::stand_alone(svg::history_picture(histories.of(series), true))});
  }
  return pictures;
}

}  // namespace perf
