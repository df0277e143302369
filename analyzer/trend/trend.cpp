#include "analyzer/trend/trend.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "analyzer/trend/alert_states.h"
#include "analyzer/trend/common_steps.h"
#include "analyzer/trend/false_alarms.h"
#include "analyzer/trend/first_nights.h"
#include "analyzer/trend/internal.h"
#include "schema/revision.h"
#include "schema/text/shell_words.h"

namespace perf {
namespace {

/// A series without a point among so many measured commits is no longer measured.
constexpr std::size_t kLiveCommits = 10;

std::string name_of_pin(const std::string& oid, const std::vector<Baseline>& baselines) {
  const auto found = std::ranges::find(baselines, oid, &Baseline::oid);
  return found == baselines.end() ? "" : found->name;
}

/// Those that a series was measured in, in the order of the series.
std::vector<Environment> environments_of(const TrendReport& report, const MeasuredLine& measured,
                                         const RecordedHistory& recorded) {
  std::set<std::string> wanted;
  for (const TrendSeries& series : report.series) {
    if (series.key.anchor.empty()) {
      wanted.insert(series.key.fingerprint);
    }
  }
  std::vector<Environment> environments;
  for (const std::uint32_t which : measured.environments) {
    if (wanted.erase(recorded.environments[which].fingerprint) > 0) {
      environments.push_back(recorded.environments[which]);
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

/// What a step would have to be, to be seen in the series that are judged and still measured.
void add_visible_steps(TrendReport& report) {
  std::vector<double> visible;  // 0: too short
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

/// What moved because the benchmark was changed is not due to a commit: it lies between series.
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

/// Finds what there is in each series, some after the others, and keeps what will be asked of them.
class SeriesSearch {
 public:
  explicit SeriesSearch(const TrendInputs& inputs)
      : inputs_(inputs),
        positions_(inputs.line.size()),
        line_{inputs.recorded, inputs.line, positions_, inputs.policy,
              (inputs.size == "ci" ? "" : " --size " + shell_word(inputs.size)) + inputs.place},
        noise_(inputs.policy),
        common_(inputs.policy) {
    std::iota(positions_.begin(), positions_.end(), 0U);
    for (const Alert& alert : inputs.alerts) {
      alerts_[alert.series].push_back(&alert);
    }
    for (std::size_t i = 0; i < inputs.line.size(); ++i) {
      commits_.emplace(inputs.line[i].oid, static_cast<std::uint32_t>(i));
    }
  }
  SeriesSearch(const SeriesSearch&) = delete;
  SeriesSearch& operator=(const SeriesSearch&) = delete;

  void operator()(std::span<MeasuredSeries> some, const std::vector<ProgramAt>& seen) {
    const ProgramHistory programs(seen, commits_);
    for_each_index(some.size(), [&](std::size_t i) {
      some[i].series.can_be_compared = is_measured_still(some[i].series, inputs_);
      some[i].series.anchor_name = name_of_pin(some[i].series.key.anchor, inputs_.baselines);
      search(some[i], line_);
      find_tails(some[i], line_);
      find_borders(some[i], programs, line_);
      some[i].programs = programs.at_last_points(some[i].series);
      some[i].series.drifts = drifts_of(some[i].series, inputs_.baselines, line_);
    });
    for (MeasuredSeries& one : some) {
      longest_ = std::max(longest_, one.series.points.size());
      common_.add(one.series);
      if (inputs_.replays) {
        noise_.add(one.series);
      }
      if (!inputs_.keeps_points) {
        keep_needed_points(one, {inputs_.line, commits_, alerts_of(one), inputs_.since});
      }
    }
  }

  const std::string& options() const { return line_.options; }
  FalseAlarmRate false_alarms() const { return noise_.rate(); }
  std::size_t longest() const { return longest_; }
  const CommonNoise& common() const { return common_; }

 private:
  const std::vector<const Alert*>& alerts_of(const MeasuredSeries& one) const {
    static const std::vector<const Alert*> kNone;
    const auto found = alerts_.find(one.series.key);
    return found == alerts_.end() ? kNone : found->second;
  }

  const TrendInputs& inputs_;
  std::vector<std::uint32_t> positions_;  ///< each is a commit's own
  SearchedLine line_;
  NoiseSample noise_;
  CommonNoise common_;
  std::map<SeriesKey, std::vector<const Alert*>> alerts_{};
  CommitIndex commits_{};  ///< of the line, by position
  std::size_t longest_ = 0;
};

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

  // What there is in each series, then in all of a machine's together.
  SeriesSearch search(inputs);
  MeasuredLine measured = measured_line(inputs.recorded, inputs.more, std::ref(search));
  report.longest = search.longest();
  report.false_alarms = search.false_alarms();
  report.positions = measured.positions;
  std::ranges::copy(measured.warnings, std::back_inserter(report.warnings));
  for (const std::uint32_t position : report.positions) {
    report.commits.push_back(inputs.line[position]);
  }
  report.measured = report.commits.size();
  for (MeasuredSeries& one : measured.series) {
    one.series.live = one.series.points.back().commit + kLiveCommits >= report.commits.size();
    if (!one.series.live) {
      one.series.drifts.clear();
    }
  }
  const SearchedLine line{inputs.recorded, inputs.line, report.positions, report.policy,
                          search.options()};
  report.machine_events = find_machine_events(measured, line);
  std::ranges::copy(find_machine_slopes(measured.series, line),
                    std::back_inserter(report.warnings));
  std::ranges::for_each(measured.series, move_to_borders);
  find_common_steps(measured, line, search.common(), report.machine_events);
  std::ranges::for_each(measured.series, drop_tails_of_medians);
  warn_of_benchmarks(measured.series, report);

  // What of it is new.
  for (MeasuredSeries& one : measured.series) {
    report.series.push_back(std::move(one.series));
  }
  report.environments = environments_of(report, measured, inputs.recorded);
  warn_of_unmeasured(inputs, report);
  give_states(report, inputs.alerts);
  add_visible_steps(report);
  add_first_nights(report, measured, inputs.recorded);
  return report;
}

}  // namespace perf
