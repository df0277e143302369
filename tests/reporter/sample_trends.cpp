#include <algorithm>
#include <cmath>
#include <utility>

#include "tests/reporter/samples.h"

namespace perf::samples {
namespace {

constexpr std::int64_t kFirstDay = 1767225600;  // 2026-01-01
constexpr const char* kFingerprint = "1f2e3d4c5b6a7988";

Revision nightly_commit(std::size_t index, const std::string& subject) {
  const std::string digits = "0123456789abcdef";
  Revision revision;
  for (std::size_t i = 0; i < 40; ++i) {
    revision.oid += digits[(index * 7 + i * (index + 1)) % 16];
  }
  revision.committed_at = kFirstDay + 86400 * static_cast<std::int64_t>(index);
  revision.author = "Ada";
  revision.subject = subject;
  return revision;
}

/// Values that go up and down by `noise` without any chance in them, stepping once.
TrendSeries series(const std::string& workload, const Metric& metric, double level, double noise,
                   std::size_t points, std::size_t step, double change) {
  TrendSeries series;
  series.key = {workload, {}, metric.name, kFingerprint, ""};
  series.metric = metric;
  series.noise = noise;
  for (std::size_t i = 0; i < points; ++i) {
    const double wave = noise * std::round(30 * std::sin(2.4 * static_cast<double>(i))) / 30;
    const double value = level * (1 + wave) * (i >= step ? 1 + change : 1);
    series.points.push_back({static_cast<std::uint32_t>(i), 3, value});
  }
  return series;
}

std::string comparison_of(std::size_t base, std::size_t head) {
  return "perf-compare " + nightly_commit(base, "").oid.substr(0, 12) + " " +
         nightly_commit(head, "").oid.substr(0, 12) + " -w ";
}

ChangePoint step_at(std::uint32_t index, double change, double before, AlertState state) {
  ChangePoint step;
  step.index = index;
  step.commit = index;
  step.previous = index - 1;
  step.change = change;
  step.interval = Interval{change - 0.015, change + 0.014};
  step.before = before;
  step.after = before * (1 + change);
  step.noise_before = 0.0081;
  step.noise_after = 0.0112;
  step.worse = change > 0;
  step.state = state;
  if (state != AlertState::none) {
    step.alert_id = "a1b2c3d4e5f60718293a4b5c6d7e8f90";
  }
  if (state == AlertState::known || state == AlertState::refuted) {
    step.first_seen = "2026-01-31T03:00:00Z";
  }
  step.confirm = comparison_of(index - 1, index) + "parser";
  step.evidence = 100 * std::abs(change);
  step.false_alarms = step.evidence > 10 ? kLeastFalseAlarms : 0.05;
  return step;
}

TrendReport frame(std::size_t commits) {
  TrendReport report;
  report.id = "0123456789abcdef0123456789abcdef";
  report.generated_at = "2026-03-01T03:00:00Z";
  report.tool_version = "0.1.0";
  for (std::size_t i = 0; i < commits; ++i) {
    report.commits.push_back(
        nightly_commit(i, i == 30 ? "Use a map" : "Change number " + std::to_string(i)));
    report.positions.push_back(static_cast<std::uint32_t>(2 * i));
  }
  report.head = nightly_commit(commits, "Tidy up");
  report.head.name = "HEAD";
  report.line = 2 * commits + 1;
  report.measured = report.longest = commits;
  report.size = "ci";
  report.environments = {{kFingerprint,
                          {{"cpu_model", "AMD EPYC"}, {"cores_allowed", "2"}, {"memory_gib", "24"}},
                          {{"governor", "performance"}}}};
  report.reproduce = {"perf-compare trend " + report.head.oid.substr(0, 12) + " --size ci"};
  report.false_alarms = {0.06, 200000, 12, 400, 12, 0.1, 0.4, 20000, 8};
  report.points_wanted = 9;
  return report;
}

TrendSeries with_closed(TrendSeries series, AlertState state) {
  Alert alert;
  alert.id = "ffeeddccbbaa99887766554433221100";
  alert.series = series.key;
  alert.previous_oid = nightly_commit(9, "").oid;
  alert.oid = nightly_commit(10, "").oid;
  alert.change = 0.08;
  alert.events = {
      {AlertNews::seen, "2026-01-12T03:00:00Z", ""},
      {AlertNews::confirmed, "2026-01-12T03:00:00Z", "77665544332211000011223344556677"}};
  series.closed = {{alert, state}};
  return series;
}

void add_parser(TrendReport& report) {
  TrendSeries parser = series("parser", kStepTime, 0.412, 0.008, 60, 30, 0.124);
  parser.change_points = {step_at(30, 0.124, 0.412, AlertState::fresh)};
  parser.visible_step = 0.0193;
  parser.change_points[0].facts = {"blas_core: Haswell -> SkylakeX"};
  report.series.push_back(std::move(parser));
  TrendSeries memory = series("parser", kPeakRss, 3.2e7, 0.001, 60, 40, 0.06);
  memory.change_points = {step_at(40, 0.06, 3.2e7, AlertState::known)};
  memory.change_points[0].commits = 4;
  report.series.push_back(std::move(memory));
}

void add_rest(TrendReport& report) {
  TrendSeries sloping = series("training/mlp_stack", kStepTime, 0.0083, 0.02, 60, 60, 0);
  sloping.trend = Slope{{.previous = 10,
                         .commit = 59,
                         .change = 0.045,
                         .interval = Interval{0.03, 0.06},
                         .evidence = 4.4,
                         .worse = true,
                         .state = AlertState::fresh,
                         .confirm = comparison_of(10, 59) + "training/mlp_stack"},
                        10,
                        60,
                        50,
                        0.0009};
  sloping.drifts = {{{.previous = 5,
                      .commit = 59,
                      .change = 0.112,
                      .interval = Interval{0.10, 0.12},
                      .evidence = 9.7,
                      .worse = true,
                      .state = AlertState::fresh,
                      .confirm = "perf-compare release HEAD -w training/mlp_stack"},
                     "release",
                     0.1,
                     true}};
  report.series.push_back(with_closed(std::move(sloping), AlertState::recovered));
  TrendSeries faster =
      series("tokenizer", {"tokens_per_second", "1/s", Better::higher}, 51234, 0.01, 60, 20, 0.3);
  faster.change_points = {step_at(20, 0.3, 51234, AlertState::none)};
  faster.change_points[0].worse = false;
  faster.suspects = {step_at(57, -0.03, 66604, AlertState::none)};
  faster.suspects[0].worse = true;
  faster.suspects[0].false_alarms.reset();
  report.series.push_back(with_closed(std::move(faster), AlertState::withdrawn));
  TrendSeries refuted = series("quantization/int8", kStepTime, 0.004, 0.01, 60, 50, 0.05);
  refuted.change_points = {step_at(50, 0.05, 0.004, AlertState::refuted)};
  refuted.drifts = {{{.previous = 5,
                      .commit = 59,
                      .change = 0.05,
                      .interval = Interval{0.03, 0.07},
                      .worse = true},
                     "release",
                     0.1}};
  report.series.push_back(std::move(refuted));
  TrendSeries anchored = series("parser", kStepTime, 1, 0.004, 60, 30, 0.12);
  anchored.key.fingerprint.clear();
  anchored.key.anchor = nightly_commit(5, "").oid;
  anchored.anchor_name = "release";
  anchored.change_points = {step_at(30, 0.12, 1, AlertState::none)};
  anchored.change_points[0].machine_event = 0;
  report.series.push_back(std::move(anchored));
}

}  // namespace

TrendReport moved_history() {
  TrendReport report = frame(60);
  report.baselines = {{"release", nightly_commit(5, "").oid, "shipped", "2026-01-06T00:00:00Z"}};
  report.alert_threshold = 0.02;
  add_parser(report);
  add_rest(report);
  report.machine_events = {{kFingerprint,
                            44,
                            45,
                            43,
                            5,
                            6,
                            0.034,
                            {"kernel: 6.1.0-12 -> 6.1.0-13"},
                            false,
                            comparison_of(43, 45) + "parser"},
                           {kFingerprint, 12, 12, 11, 3, 6, -0.02, {}, true, ""}};
  report.warnings = {
      {WarningKind::commits_elsewhere, {{"commits", 7}}, {{"head", "1a2b3c4d5e6f"}}}};
  return report;
}

TrendReport decided_history() {
  TrendReport report = moved_history();
  ChangePoint& ignored = report.series[0].change_points[0];
  ignored.state = AlertState::ignored;
  ignored.decision = AlertEvent{AlertNews::ignored, "2026-02-02T09:00:00Z", "", "Ada",
                                "the price of checking every bound"};
  report.series[1].change_points[0].decision =
      AlertEvent{AlertNews::acknowledged, "2026-02-11T09:00:00Z", "", "", "Grace bisects"};
  TrendSeries& drifting = report.series[2];
  drifting.drifts[0].state = AlertState::reopened;
  drifting.drifts[0].decision =
      AlertEvent{AlertNews::fixed, "2026-02-20T09:00:00Z", "", "Ada", "reverted in 3f2a9c01"};
  drifting.drifts[0].alert_id = "b1b2c3d4e5f60718293a4b5c6d7e8f90";
  drifting.trend->state = AlertState::known;
  drifting.trend->alert_id = "c1b2c3d4e5f60718293a4b5c6d7e8f90";
  drifting.closed[0].alert.events.push_back(
      {AlertNews::fixed, "2026-01-20T09:00:00Z", "", "Ada", "a faster map"});
  return report;
}

TrendReport quiet_history() {
  TrendReport report = frame(60);
  report.series = {series("parser", kStepTime, 0.412, 0.008, 60, 60, 0),
                   series("parser", kPeakRss, 3.2e7, 0.001, 60, 60, 0)};
  report.series[0].visible_step = 0.031;
  report.series[1].visible_step = 0.014;
  report.visible_in_half = 0.014;
  report.visible_in_all = 0.031;
  report.false_alarms = {0, 200000, 0, 400, 0, 0, 0, 20000, 0};
  return report;
}

TrendReport first_night() {
  TrendReport report = frame(1);
  report.series = {series("parser", kStepTime, 0.412, 0.008, 1, 1, 0)};
  report.false_alarms = {};
  return report;
}

TrendReport empty_history() {
  TrendReport report = frame(0);
  report.line = 5;
  report.environments.clear();
  report.false_alarms = {};
  report.points_wanted = 0;
  return report;
}

TrendReport confirmed_history() {
  TrendReport report = moved_history();
  report.confirmations = {regressed()};
  report.series[0].change_points[0].confirmed_by = report.confirmations[0].id;
  return report;
}

std::vector<NamedTrend> all_trends() {
  return {{"trend_moved", moved_history()}, {"trend_decided", decided_history()},
          {"trend_quiet", quiet_history()}, {"trend_first_night", first_night()},
          {"trend_empty", empty_history()}, {"trend_confirmed", confirmed_history()}};
}

TrendReport poisoned_history(const std::string& text) {
  TrendReport report = confirmed_history();
  for (Revision& commit : report.commits) {
    commit.oid = commit.subject = commit.author = text;
  }
  report.head.oid = report.head.subject = report.head.author = text;
  for (TrendSeries& series : report.series) {
    series.key.workload = series.metric.name = series.metric.unit = text;
    series.key.params[text] = text;
    series.anchor_name = text;
    for (ChangePoint& step : series.change_points) {
      step.facts = {text};
      step.confirm = step.first_seen = step.confirmed_by = text;
      step.decision = AlertEvent{AlertNews::acknowledged, text, "", text, text};
    }
    for (Drift& drift : series.drifts) {
      drift.baseline = drift.confirm = text;
    }
    for (ClosedAlert& closed : series.closed) {
      closed.alert.oid = closed.alert.events.front().at = text;
      closed.alert.events.push_back({AlertNews::fixed, text, "", text, text});
    }
  }
  for (MachineEvent& event : report.machine_events) {
    event.fingerprint = event.confirm = text;
    event.facts = {text};
  }
  report.baselines = {{text, text, text, text}};
  report.environments.front().machine = {{text, text}, {"cpu_model", text}};
  report.warnings = {{WarningKind::failed, {}, {{"why", text}}}};
  report.size = report.id = report.generated_at = text;
  report.reproduce = {text};
  return report;
}

TrendReport long_history(std::size_t count, std::size_t points) {
  TrendReport report = frame(points);
  for (std::size_t i = 0; i < count; ++i) {
    report.series.push_back(series("workload/" + std::to_string(i), kStepTime,
                                   0.01 * static_cast<double>(i + 1), 0.01, points, points / 2,
                                   0.1));
    report.series.back().change_points = {step_at(static_cast<std::uint32_t>(points / 2), 0.1,
                                                  0.01 * static_cast<double>(i + 1),
                                                  AlertState::fresh)};
  }
  return report;
}

}  // namespace perf::samples
