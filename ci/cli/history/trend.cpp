#include "analyzer/trend/trend.h"

#include <algorithm>
#include <ctime>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/trend/alert_states.h"
#include "analyzer/trend/first_nights.h"
#include "analyzer/trend/trend_series.h"
#include "ci/cli/commands.h"
#include "ci/cli/history/history.h"
#include "ci/cli/hub/hub.h"
#include "ci/cli/output/end_command.h"
#include "ci/cli/output/output.h"
#include "ci/cli/output/reproduce.h"
#include "ci/cli/run/clock.h"
#include "ci/cli/run/signals.h"
#include "collector/git/ancestry.h"
#include "collector/git/baseline.h"
#include "collector/randomness.h"
#include "reporter/render.h"
#include "schema/error.h"
#include "schema/readings.h"
#include "schema/revision.h"
#include "schema/store/store.h"
#include "schema/text/lists.h"

namespace perf {
namespace {

/// Relative noise that is assumed of a series with too few points.
constexpr double kUsualNoise = 0.01;
constexpr std::size_t kPointsThatTell = 5;

Revision head_of(const Options& options, const TrendPlace& place) {
  if (options.revision == ".") {
    throw UsageError("the working tree has no history", ".", "perf-compare trend HEAD");
  }
  return resolve_head(place.repository, options.revision, place.sources);
}

/// Quantiles of steps are derived where the policy judges them.
RecordedHistory load(const Options& options, const TrendPlace& place, const Policy& policy,
                     const std::vector<Revision>& line) {
  if (!place.store) {
    return {};
  }
  const std::vector<std::string> oids = mapped(line, &Revision::oid);
  std::vector<std::string> quantiles;
  for (const ThresholdRule& rule : policy.thresholds) {
    if (policy.metrics.empty() && step_quantile(rule.metric)) {
      quantiles.push_back(rule.metric);
    }
  }
  RecordedHistory recorded = place.store->load_recorded(
      {oids, options.size, options.workloads, options.metrics, quantiles, true});
  std::erase_if(recorded.series, [&](const RecordedSeries& series) {
    const std::string& metric = series.metric.name;
    return std::ranges::find(quantiles, metric) != quantiles.end() &&
           !names_metric(policy, series.name, metric);
  });
  recorded.programs = place.store->programs_at(oids, options.size);
  return recorded;
}

/// The points that it takes to detect a step of the threshold, at the median noise of the judged
/// series.
std::size_t points_wanted_for(const TrendReport& report) {
  std::vector<double> noises;
  for (const TrendSeries& series : report.series) {
    if (series.live && may_alert(series, report.policy)) {
      noises.push_back(series.points.size() < kPointsThatTell ? kUsualNoise : series.noise);
    }
  }
  if (noises.empty()) {
    return 0;
  }
  const auto middle = noises.begin() + static_cast<std::ptrdiff_t>(noises.size() / 2);
  std::nth_element(noises.begin(), middle, noises.end());
  return points_wanted(*middle, report.policy.threshold);
}

void add_warnings(const FirstParentLine& line, TrendReport& report) {
  if (line.cut) {
    report.warnings.push_back({WarningKind::shallow_clone,
                               {},
                               {{"commit", line.commits.front().oid.substr(0, kShortOid)}}});
  }
  if (!report.commits.empty() && report.commits.back().oid != report.head.oid) {
    report.warnings.push_back({WarningKind::head_unmeasured,
                               {},
                               {{"head", report.head.oid.substr(0, kShortOid)},
                                {"commit", report.commits.back().oid.substr(0, kShortOid)}}});
  }
}

std::string reproduce_command(const Options& options, const Revision& head) {
  return "perf-compare trend " + head.oid.substr(0, kShortOid) + " --size " + options.size +
         deciding_options(options);
}

/// `alerts`: those that were known before, where they are a hub's.
TrendReport report_of(const Options& options, const TrendPlace& place, const Policy& policy,
                      std::vector<Alert>& alerts) {
  const Revision head = head_of(options, place);
  const FirstParentLine line = first_parent_line(place.repository, head);
  const std::uint32_t from = options.since.empty()
                                 ? 0
                                 : position_since(options.since, std::time(nullptr),
                                                  place.repository, place.sources, line.commits);
  std::optional<HubHistory> in_hub;
  if (reads_hub(options)) {
    in_hub.emplace(options, mapped(line.commits, &Revision::oid));
    alerts = in_hub->alerts();
  }
  const RecordedHistory in_store =
      in_hub ? RecordedHistory() : load(options, place, policy, line.commits);
  TrendInputs inputs{in_hub ? in_hub->frame() : in_store,
                     line.commits,
                     baselines_of(place),
                     in_hub        ? alerts
                     : place.store ? place.store->alerts()
                                   : std::vector<Alert>{},
                     policy,
                     options.threshold,
                     options.size,
                     place_options(options),
                     entries_of(place, head, options.size),
                     in_hub ? in_hub->more() : MoreSeries()};
  inputs.keeps_points =
      !in_hub || options.with_points || !options.html.empty() || !options.plots.empty();
  inputs.since = from;
  TrendReport report = trend(inputs);
  report.filtered = !options.workloads.empty() || !options.metrics.empty();
  report.tells_points = !in_hub || options.with_points;
  report.points_wanted = points_wanted_for(report);
  if (from > 0) {
    report = since(std::move(report), from);
  }
  report.id = new_id();
  stamp(report);
  report.reproduce = {reproduce_command(options, head)};
  add_warnings(line, report);
  return report;
}

void remember_here(const TrendReport& report, const TrendPlace& place) {
  const AlertRecord record = to_remember(report, report.generated_at);
  if (place.store && !(record.fresh.empty() && record.news.empty())) {
    Store(place.store_file).record_alerts(record.fresh, record.news);
  }
}

/// Stores the alerts that were shown; a failure does not change the exit code.
void remember(const TrendReport& report, const std::vector<Alert>& alerts, const TrendPlace& place,
              const Options& options) {
  try {
    reads_hub(options) ? remember_in_hub(report, alerts, options, place.repository)
                       : remember_here(report, place);
  } catch (const Error& error) {
    print_error({"alerts were not stored, and will be new again", error.what + ": " + error.subject,
                 error.hint});
  }
}

/// New or reopened.
bool any_new(const TrendReport& report) {
  const auto is_new = [](const auto& finding) {
    return finding.state == AlertState::fresh || finding.state == AlertState::reopened;
  };
  return std::ranges::any_of(report.series, [&](const TrendSeries& series) {
    return std::ranges::any_of(series.change_points, is_new) ||
           (series.trend && is_new(*series.trend)) || std::ranges::any_of(series.drifts, is_new);
  });
}

bool any_step(const TrendReport& report, const auto& is_wanted) {
  return std::ranges::any_of(report.series, [&](const TrendSeries& series) {
    return std::ranges::any_of(series.change_points, is_wanted);
  });
}

bool any_confirmed(const TrendReport& report) {
  return any_step(report, [](const ChangePoint& step) {
    return is_undecided(step) && !step.confirmed_by.empty();
  });
}

/// A comparison of this run confirmed a step that nobody decided about.
bool any_regressed(const TrendReport& report) {
  return std::ranges::any_of(report.confirmations, [&](const Report& one) {
    const auto is_borne_out = [&](const ChangePoint& step) { return step.confirmed_by == one.id; };
    return one.summary.verdict == Verdict::regressed &&
           (!any_step(report, is_borne_out) || any_step(report, [&](const ChangePoint& step) {
             return is_borne_out(step) && is_undecided(step);
           }));
  });
}

int code_of(const TrendReport& report, const Options& options) {
  const auto fails_on = [&](const char* kind) {
    return std::ranges::count(options.fail_on, kind) > 0;
  };
  const bool new_event = std::ranges::count(report.machine_events, false, &MachineEvent::known) > 0;
  const bool fails = any_regressed(report) || (fails_on("new") && any_new(report)) ||
                     (fails_on("confirmed") && any_confirmed(report)) ||
                     (fails_on("event") && new_event);
  return unless_interrupted(fails ? kRegression : kFine);
}

std::vector<Error> write_trend(const TrendReport& report, int code, const Options& options) {
  Renderings renderings = page_renderings_of(report, render_trend_json);
  renderings.junit = [&] { return render_trend_junit(report); };
  renderings.openmetrics = [&] { return render_trend_openmetrics(report); };
  renderings.plots = [&] { return trend_plots(report); };
  renderings.github.annotations = [&] { return render_github_annotations(report); };
  renderings.github.outputs = [&] { return render_github_outputs(report, code); };
  return write_outputs(renderings, options);
}

int show_trend(const Options& options, Spawner& spawner) {
  const TrendPlace place = open_place(options, spawner);
  const Policy policy = apply(place.config.policy, options);
  std::vector<Alert> alerts;
  TrendReport report = report_of(options, place, policy, alerts);
  if (options.confirm) {
    confirm(options, spawner, policy.budget, report);
  }
  const int code = code_of(report, options);
  const std::vector<Error> errors = write_trend(report, code, options);
  if (errors.empty()) {
    remember(report, alerts, place, options);
  }
  return end_command(errors, code);
}

}  // namespace

int trend_command(const Options& options, Spawner& spawner) {
  const auto show = [&] { return show_trend(options, spawner); };
  if (!reads_hub(options)) {
    return with_hub(options, spawner, show);
  }
  catch_interruptions();
  return options.confirm ? with_hub(options, spawner, show, false)
                         : show();  // pushes its comparisons
}

}  // namespace perf
