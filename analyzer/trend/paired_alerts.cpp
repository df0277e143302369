#include <map>
#include <string>
#include <vector>

#include "analyzer/trend/alert_states.h"
#include "analyzer/trend/trend_series.h"
#include "schema/revision.h"

namespace perf {
namespace {

constexpr std::uint32_t kNearStep = 3;  ///< measured commits

bool is_same_place(const ChangePoint& a, const ChangePoint& b) {
  return a.commit <= b.commit + kNearStep && b.commit <= a.commit + kNearStep &&
         (a.change > 0) == (b.change > 0);
}

void fold(ChangePoint& step, const std::string& reason) {
  step.state = AlertState::none;
  step.facts.push_back(reason);
}

/// What the paired series of a workload and metric do to the machine's own step, and it to them.
void settle(ChangePoint& own, const std::string& fingerprint, TrendSeries& paired) {
  for (ChangePoint& step : paired.change_points) {
    const bool tells = stands(step.state) || step.state == AlertState::refuted;
    if (!tells || !is_same_place(own, step)) {
      continue;
    }
    if (own.state != AlertState::fresh && stands(own.state) && step.state == AlertState::fresh) {
      fold(step, "already known on machine " + fingerprint.substr(0, kShortOid));
    } else if (own.state == AlertState::fresh) {
      fold(own, "also paired with " + (paired.anchor_name.empty()
                                           ? paired.key.anchor.substr(0, kShortOid)
                                           : paired.anchor_name));
    }
  }
}

}  // namespace

void fold_paired_alerts(TrendReport& report) {
  std::map<Quantity, std::vector<TrendSeries*>> paired;
  for (TrendSeries& series : report.series) {
    if (!series.key.anchor.empty()) {
      paired[quantity_of(series.key)].push_back(&series);
    }
  }
  for (TrendSeries& series : report.series) {
    const auto others = paired.find(quantity_of(series.key));
    if (!series.key.anchor.empty() || others == paired.end()) {
      continue;
    }
    for (ChangePoint& own : series.change_points) {
      for (TrendSeries* other : others->second) {
        settle(own, series.key.fingerprint, *other);
      }
    }
  }
}

}  // namespace perf
