#include "analyzer/trend/trend.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "analyzer/trend/alert_states.h"
#include "analyzer/trend/false_alarms.h"
#include "analyzer/trend/parallel_loop.h"
#include "analyzer/trend/program_borders.h"
#include "analyzer/trend/series_findings.h"
#include "analyzer/trend/trend_series.h"
#include "schema/revision.h"
#include "schema/shell_words.h"

namespace perf {
namespace {

/// A series without a point among so many measured commits is one that nobody measures any more.
constexpr std::size_t kLiveCommits = 10;

std::string name_of_pin(const std::string& oid, const std::vector<Baseline>& baselines) {
  const auto found = std::ranges::find(baselines, oid, &Baseline::oid);
  return found == baselines.end() ? "" : found->name;
}

/// Those that a series was measured in, in the order of the record.
std::vector<Environment> environments_of(const TrendReport& report,
                                         const RecordedHistory& recorded) {
  std::set<std::string> wanted;
  for (const TrendSeries& series : report.series) {
    if (series.key.anchor.empty()) {
      wanted.insert(series.key.fingerprint);
    }
  }
  std::vector<Environment> environments;
  for (const Environment& environment : recorded.environments) {
    if (wanted.erase(environment.fingerprint) > 0) {
      environments.push_back(environment);
    }
  }
  return environments;
}

std::vector<Warning> warnings_of(const TrendInputs& inputs) {
  std::vector<Warning> warnings;
  if (inputs.recorded.elsewhere > 0) {
    warnings.push_back(
        {WarningKind::commits_elsewhere,
         {{"commits", inputs.recorded.elsewhere}},
         {{"head", inputs.line.empty() ? "HEAD" : short_oid(inputs.line.back().oid)}}});
  }
  for (const Baseline& baseline : inputs.baselines) {
    if (std::ranges::find(inputs.line, baseline.oid, &Revision::oid) == inputs.line.end()) {
      warnings.push_back({WarningKind::baseline_off_line, {}, {{"baseline", baseline.name}}});
    }
  }
  return warnings;
}

/// Of the series that are still measured none has a point at a baseline that it has gone past.
void warn_of_unmeasured(const TrendInputs& inputs, TrendReport& report) {
  for (const Baseline& baseline : inputs.baselines) {
    const auto at = std::ranges::find(inputs.line, baseline.oid, &Revision::oid);
    const auto position = static_cast<std::size_t>(at - inputs.line.begin());
    const bool is_past = std::ranges::any_of(report.series, [&](const TrendSeries& series) {
      return series.live && report.positions[series.points.back().commit] > position;
    });
    const bool is_told = std::ranges::any_of(report.series, [&](const TrendSeries& series) {
      return std::ranges::find(series.drifts, baseline.name, &Drift::baseline) !=
             series.drifts.end();
    });
    if (is_past && !is_told) {
      report.warnings.push_back(
          {WarningKind::baseline_unmeasured, {}, {{"baseline", baseline.name}}});
    }
  }
}

void warn_of_zeros(const std::vector<MeasuredSeries>& series, TrendReport& report) {
  std::size_t steps = 0;
  const SeriesKey* first = nullptr;
  for (const MeasuredSeries& one : series) {
    steps += one.steps_from_zero;
    if (one.steps_from_zero > 0 && first == nullptr) {
      first = &one.series.key;
    }
  }
  if (first != nullptr) {
    report.warnings.push_back({WarningKind::step_from_zero,
                               {{"steps", steps}},
                               {{"workload", first->workload}, {"metric", first->metric}}});
  }
}

/// What a step would have to be, to be seen in the series that are judged and still measured.
void add_visible_steps(TrendReport& report) {
  std::vector<double> visible;  // 0: too short to tell
  for (const TrendSeries& series : report.series) {
    if (series.live && may_alert(series, report.policy)) {
      visible.push_back(series.visible_step.value_or(0));
    }
  }
  const auto beyond = std::ranges::partition(visible, [](double one) { return one > 0; }).begin();
  const std::size_t known = static_cast<std::size_t>(beyond - visible.begin());
  std::ranges::sort(visible.begin(), beyond);
  if (2 * known > visible.size()) {
    report.visible_in_half = visible[(visible.size() - 1) / 2];
  }
  if (known > 0 && known == visible.size()) {
    report.visible_in_all = visible.back();
  }
}

/// What moved because the benchmark was changed is no commit's doing: it lies between series.
void warn_of_benchmarks(const std::vector<MeasuredSeries>& series, TrendReport& report) {
  std::map<std::pair<std::string, Params>, std::set<std::string>> benchmarks;
  for (const MeasuredSeries& one : series) {
    benchmarks[{one.series.entry, one.series.key.params}].insert(one.series.key.outside);
  }
  std::set<std::string> changed;
  for (const auto& [workload, seen] : benchmarks) {
    if (seen.size() > 1) {
      changed.insert(workload.first);
    }
  }
  if (!changed.empty()) {
    Warning& warning = report.warnings.emplace_back();
    warning = {WarningKind::several_benchmarks, {}, {{"workload", *changed.begin()}}};
    if (changed.size() > 1) {
      warning.figures["more"] = static_cast<double>(changed.size() - 1);
    }
  }
}

/// Whether a comparison made now would measure what the series holds.
bool is_measured_still(const TrendSeries& series, const TrendInputs& inputs) {
  if (!inputs.entries) {
    return true;
  }
  const auto entry = inputs.entries->find(series.entry);
  return entry != inputs.entries->end() && entry->second == series.key.outside;
}

}  // namespace

TrendReport trend(const TrendInputs& inputs) {
  TrendReport report;
  report.line = inputs.line.size();
  if (!inputs.line.empty()) {
    report.head = inputs.line.back();
  }
  report.size = inputs.size;
  report.policy = inputs.policy;
  report.alert_threshold = inputs.alert_threshold;
  report.baselines = inputs.baselines;
  report.warnings = warnings_of(inputs);

  // Commits and points.
  MeasuredLine measured = measured_line(inputs.recorded, inputs.more);
  report.positions = measured.positions;
  std::ranges::copy(measured.warnings, std::back_inserter(report.warnings));
  for (const std::uint32_t position : report.positions) {
    report.commits.push_back(inputs.line[position]);
  }
  report.measured = report.commits.size();
  for (MeasuredSeries& one : measured.series) {
    report.longest = std::max(report.longest, one.series.points.size());
    one.series.can_be_compared = is_measured_still(one.series, inputs);
  }
  const SearchedLine line{
      inputs.recorded, inputs.line, report.positions, report.policy,
      (inputs.size == "ci" ? "" : " --size " + shell_word(inputs.size)) + inputs.place};

  // What there is in each series, then in all of a machine's together.
  for_each_index(measured.series.size(), [&](std::size_t i) {
    MeasuredSeries& one = measured.series[i];
    search(one, line);
    one.series.anchor_name = name_of_pin(one.series.key.anchor, inputs.baselines);
    one.series.live = one.series.points.back().commit + kLiveCommits >= report.commits.size();
    if (one.series.live) {
      one.series.drifts = drifts_of(one.series, inputs.baselines, line);
    }
  });
  report.machine_events = find_machine_events(measured.series, line);
  std::ranges::copy(find_machine_slopes(measured.series, line),
                    std::back_inserter(report.warnings));
  const ProgramHistory programs(inputs.recorded.programs, inputs.line);
  for (MeasuredSeries& one : measured.series) {
    place_by_programs(one, programs, line);
  }
  if (inputs.replays) {
    report.false_alarms = false_alarm_rate(measured.series, report.policy);
  }

  warn_of_zeros(measured.series, report);
  warn_of_benchmarks(measured.series, report);

  // What of it is news.
  for (MeasuredSeries& one : measured.series) {
    report.series.push_back(std::move(one.series));
  }
  report.environments = environments_of(report, inputs.recorded);
  warn_of_unmeasured(inputs, report);
  give_states(report, inputs.alerts);
  add_visible_steps(report);
  return report;
}

}  // namespace perf
