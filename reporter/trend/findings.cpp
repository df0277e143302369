#include "reporter/trend/findings.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "schema/text/lists.h"

namespace perf::reporter {
namespace {

bool is_improvement(const Finding& finding) {
  return finding.kind == AlertKind::step && !finding.worse && !finding.step->machine_event;
}

/// Whether a reader would call the series unchanged but for this. A drift within its threshold is
/// where the series stands, no move.
bool moves(const Finding& finding) {
  return finding.kind != AlertKind::drift || finding.drift->beyond;
}

void count_alert(const Finding& finding, TrendCounts& counts) {
  counts.fresh += finding.state == AlertState::fresh;
  counts.known += finding.state == AlertState::known;
  counts.refuted += finding.state == AlertState::refuted;
  counts.reopened += finding.state == AlertState::reopened;
  counts.ignored += finding.state == AlertState::ignored;
  counts.improved += is_improvement(finding);
  counts.confirmed += is_open(finding.state) && !finding.confirmed_by.empty();
}

}  // namespace

Finding step_finding(const TrendSeries& series, const ChangePoint& step) {
  return {step, AlertKind::step, &series, &step};
}

std::vector<Finding> findings_of(const TrendSeries& series) {
  std::vector<Finding> findings = mapped(
      series.change_points, [&](const ChangePoint& step) { return step_finding(series, step); });
  if (series.trend) {
    findings.push_back({*series.trend, AlertKind::slope, &series, nullptr, &*series.trend});
  }
  for (const Drift& drift : series.drifts) {
    findings.push_back({drift, AlertKind::drift, &series, nullptr, nullptr, &drift});
  }
  return findings;
}

std::vector<Finding> findings_of(const TrendReport& report) {
  std::vector<Finding> findings;
  for (const TrendSeries& series : report.series) {
    std::ranges::move(findings_of(series), std::back_inserter(findings));
  }
  return findings;
}

std::vector<Finding> chosen(const std::vector<Finding>& findings,
                            const std::function<bool(const Finding&)>& is_wanted) {
  std::vector<Finding> wanted;
  std::ranges::copy_if(findings, std::back_inserter(wanted), is_wanted);
  return wanted;
}

std::vector<Finding> in_state(const std::vector<Finding>& findings, AlertState state) {
  std::vector<Finding> found =
      chosen(findings, [state](const Finding& finding) { return finding.state == state; });
  std::ranges::stable_sort(found, std::greater<>(), [](const Finding& finding) {
    return std::pair(finding.evidence, extent(finding.change));
  });
  return found;
}

std::vector<Finding> members_of(const std::vector<Finding>& findings, std::size_t event) {
  std::vector<Finding> members = chosen(findings, [event](const Finding& finding) {
    return finding.step != nullptr && finding.step->machine_event == event;
  });
  std::ranges::stable_sort(members, std::greater<>(), [](const Finding& finding) {
    return std::pair(finding.worse, extent(finding.change));
  });
  return members;
}

bool is_open_suspect(const ChangePoint& suspect) {
  return suspect.state == AlertState::none && !suspect.machine_event;
}

double extent(double change) {
  if (std::isnan(change)) {
    return 0;
  }
  return change > -1 ? std::abs(std::log1p(change)) : std::numeric_limits<double>::infinity();
}

TrendCounts counts_of(const TrendReport& report) {
  TrendCounts counts;
  for (const TrendSeries& series : report.series) {
    const std::vector<Finding> findings = findings_of(series);
    for (const Finding& finding : findings) {
      count_alert(finding, counts);
    }
    counts.moved += std::ranges::any_of(findings, moves);
    counts.suspects +=
        static_cast<std::size_t>(std::ranges::count_if(series.suspects, is_open_suspect)) +
        series.tails.size();
    counts.points += series.points.size();
    for (const ClosedAlert& closed : series.closed) {
      counts.recovered += closed.state == AlertState::recovered;
      counts.withdrawn += closed.state == AlertState::withdrawn;
    }
  }
  return counts;
}

}  // namespace perf::reporter
