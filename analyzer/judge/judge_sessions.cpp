#include "analyzer/judge/judge_sessions.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/judge/history_sessions.h"
#include "analyzer/judge/internal.h"
#include "analyzer/rule/decision.h"
#include "analyzer/statistics/centre_and_spread.h"
#include "analyzer/statistics/session_control.h"
#include "analyzer/statistics/shift.h"
#include "schema/side_stats.h"
#include "schema/text/text_parts.h"

namespace perf {
namespace {

/// ln of a session's value; of zero what makes every ratio with it unbounded. Nothing below it.
std::optional<std::vector<double>> logarithms(const std::vector<SessionValue>& sessions) {
  std::vector<double> values;
  for (const SessionValue& one : sessions) {
    if (!std::isfinite(one.value) || one.value < 0) {
      return std::nullopt;
    }
    values.push_back(one.value > 0 ? std::log(one.value) : -kZeroSide);
  }
  return values;
}

std::optional<SideStats> stats_of(const std::vector<SessionValue>& sessions) {
  if (sessions.size() == 1 && sessions.front().series->summary) {
    return sessions.front().series->summary;
  }
  std::vector<double> values;
  for (const SessionValue& one : sessions) {
    const std::vector<double>& own = one.series->values;
    if (own.empty()) {
      values.push_back(one.value);
    }
    values.insert(values.end(), own.begin(), own.end());
  }
  return side_stats(std::move(values), sessions.size(),
                    !sessions.empty() && sessions.front().series->metric == kStepTime);
}

bool has_samples(const std::vector<SessionValue>& sessions) {
  return std::ranges::none_of(sessions,
                              [](const SessionValue& one) { return one.series->values.empty(); });
}

/// Whether any of them names its machine.
bool names_machine(const std::vector<SessionValue>& sessions) {
  return std::ranges::any_of(sessions, [](const SessionValue& one) {
    const Environment& told = one.session->environment;
    return !told.fingerprint.empty() || !told.machine.empty();
  });
}

std::map<std::string, double> counts_of(const ComparableSessions& sessions) {
  std::map<std::string, double> counts{
      {"base", sessions.base.size()}, {"head", sessions.head.size()}, {"least", kFewestSessions}};
  if (const std::size_t earlier = sessions.base.size() - count_own(sessions.base); earlier > 0) {
    counts["earlier"] = static_cast<double>(earlier);
  }
  return counts;
}

/// The sides' fingerprints differ, first in this fact.
Warning machines_unknown(const ComparableSessions& sessions) {
  Warning warning{WarningKind::machine_unknown, counts_of(sessions)};
  std::string_view base = sessions.base.front().session->environment.fingerprint;
  std::string_view head = sessions.head.front().session->environment.fingerprint;
  while (!base.empty() && !head.empty() && warning.about.empty()) {
    const std::string_view one = take_line(base), other = take_line(head);
    if (one != other && one.find('=') != one.npos && other.find('=') != other.npos) {
      warning.about = {{"base_machine", std::string(one)}, {"head_machine", std::string(other)}};
    }
  }
  return warning;
}

/// Why no verdict is possible.
Warning why_inconclusive(const ComparableSessions& sessions, double alpha) {
  using enum WarningKind;
  const auto note = [&](WarningKind kind) { return Warning{kind, counts_of(sessions)}; };
  if (!has_samples(sessions.base) || !has_samples(sessions.head)) {
    return note(samples_missing);
  }
  if (!names_machine(sessions.base) && !names_machine(sessions.head)) {
    return note(machine_unnamed);
  }
  if (!sessions.one_machine) {
    return machines_unknown(sessions);
  }
  if (is_of_history(sessions.base) && count_own(sessions.base) == 0) {
    return note(base_not_collected);
  }
  if (std::min(sessions.base.size(), sessions.head.size()) <
      static_cast<std::size_t>(kFewestSessions)) {
    return note(too_few_sessions);
  }
  Warning needed = note(sessions_needed);
  needed.figures["needed"] = fewest_sessions(alpha);
  return needed;
}

void note_sessions(const ComparableSessions& sessions, const SessionNoise& noise, Comparison& row) {
  row.notes.push_back({WarningKind::judged_from_sessions, counts_of(sessions)});
  row.notes.push_back({WarningKind::correlated_sessions,
                       {{"widening", noise.widening}, {"correlation", noise.correlation}}});
}

/// The rule on the interval of sessions.
void judge_by(const Shift& shift, double alpha, const Policy& policy, Comparison& row) {
  Rule rule;
  rule.bounds = bounds_for(row.threshold, policy);
  rule.better = row.metric.better;
  rule.look_alpha = alpha;
  Decision decision;
  decision.estimate = shift.estimate;
  decision.shift = shift;
  decision.verdict = verdict_at_look(shift, rule.better, rule.bounds);
  record(decision, rule, row);
  row.p_value.reset();  // the interval is wider than any test's
}

void judge_exactly(double change, const Policy& policy, Comparison& row) {
  judge_by({change, change, change}, 0, policy, row);
  row.look_alpha.reset();
  row.exact = true;
  row.basis = kByCount;
  row.notes.clear();
}

struct OtherBenchmarks {
  std::vector<double> changes;
  int judged = 0;  ///< with this one: they are one report
};

/// An interval that reaches further, ln: it says nothing.
constexpr double kWidest = 2.3;  // 10 times

/// Why files of one session a side decide nothing, and what would.
Warning why_undecided(const ComparableSessions& sessions, std::size_t others, int rows,
                      double alpha) {
  const auto has = static_cast<double>(std::min(sessions.base.front().series->values.size(),
                                                sessions.head.front().series->values.size()));
  if (others < kFewestControls || has == 0 ||
      (has == 1 && is_size(sessions.base.front().series->metric))) {
    return why_inconclusive(sessions, alpha / rows);
  }
  return {WarningKind::repetitions_needed,
          {{"repetitions", has},
           {"needed", fewest_repetitions(rows, alpha)},
           {"least", kFewestSessions}}};
}

/// Files of one session a side: by their other benchmarks.
void judge_by_others(const ComparableSessions& sessions, const std::vector<double>& others,
                     int rows, const Policy& policy, Comparison& row) {
  const std::optional<Shift> shift = shift_against(others, sessions, rows, policy.alpha);
  if (!shift) {
    row.notes.push_back(why_undecided(sessions, others.size(), rows, policy.alpha));
    return;
  }
  judge_by(*shift, policy.alpha / rows, policy, row);
  if (std::max(-shift->low, shift->high) > kWidest) {
    row.interval.reset();
    row.smallest_visible.reset();
  }
  row.notes.push_back(
      {WarningKind::judged_by_others, {{"others", others.size()}, {"least", kFewestSessions}}});
}

/// Change and, where possible, interval and verdict.
void compare(const ComparableSessions& sessions, const OtherBenchmarks& others,
             const Policy& policy, int judged, Comparison& row) {
  auto base = logarithms(sessions.base), head = logarithms(sessions.head);
  if (!base || !head) {
    row.verdict = Verdict::incomparable;
    row.warnings.push_back({WarningKind::no_ratio});
    return;
  }
  const double largest = std::max(std::ranges::max(sessions.base, {}, &SessionValue::value).value,
                                  std::ranges::max(sessions.head, {}, &SessionValue::value).value);
  if (is_below_resolution(largest, row.metric.name)) {
    std::ranges::fill(*base, 0);
    std::ranges::fill(*head, 0);
  }
  const double change = two_sample_estimate(*base, *head);
  row.change = relative_change(change);
  row.verdict = Verdict::inconclusive;
  if (!row.judged) {
    return;
  }
  row.basis = kBySessions;
  if (repeats_exactly(sessions)) {
    judge_exactly(change, policy, row);
    return;
  }
  const double alpha = policy.alpha / std::max(judged, 1);
  if (may_be_controlled(sessions)) {
    judge_by_others(sessions, others.changes, std::max({judged, others.judged, 1}), policy, row);
    return;
  }
  const bool bears =
      sessions.one_machine && has_samples(sessions.base) && has_samples(sessions.head);
  const bool of_history = is_of_history(sessions.base);
  const std::size_t own = count_own(sessions.base);
  auto shift = bears && own > 0 ? estimate_two_sample_shift(*base, *head, alpha)
                                : std::optional<TwoSampleShift>{};
  if (!shift) {
    row.notes.push_back(why_inconclusive(sessions, alpha));
    return;
  }
  if (of_history) {  // a step just before base, too young to be seen, is not head's
    const Shift at_base = shift_of_last(*base, own, *head, alpha, shift->noise);
    shift->shift.low = std::min(shift->shift.low, at_base.low);
    shift->shift.high = std::max(shift->shift.high, at_base.high);
  }
  judge_by(shift->shift, alpha, policy, row);
  note_sessions(sessions, shift->noise, row);
  if (shift->shift.low == shift->shift.high && largest > 0) {
    row.warnings.push_back({WarningKind::equal_sessions});
  }
}

/// The first fact in which two machines differ, with what each side has.
Warning unlike_machines(const SessionValue& base, const SessionValue& head) {
  const std::map<std::string, std::string>& at_base = base.session->environment.machine;
  const std::map<std::string, std::string>& at_head = head.session->environment.machine;
  Warning warning{WarningKind::unlike_machines};
  for (const bool both : {true, false}) {  // a fact that both sides have says more
    for (const auto* facts : {&at_base, &at_head}) {
      for (const auto& [name, value] : *facts) {
        const auto one = at_base.find(name), other = at_head.find(name);
        const bool is_given = one != at_base.end() && other != at_head.end();
        if (warning.about.empty() && is_given == both &&
            !(is_given && one->second == other->second)) {
          warning.about = {{"name", name},
                           {"base", one == at_base.end() ? "not given" : one->second},
                           {"head", other == at_head.end() ? "not given" : other->second}};
        }
      }
    }
  }
  return warning;
}

/// What a metric has on both sides, where it is not the same.
Warning unlike_metrics(const Metric& base, const Metric& head) {
  Warning warning{WarningKind::unlike_units, {}, {{"where", "everywhere"}}};
  const auto add = [&warning](const char* name, std::string_view at_base,
                              std::string_view at_head) {
    if (at_base != at_head && !warning.about.contains("name")) {
      warning.about.insert({{"name", name},
                            {"base", at_base.empty() ? "not given" : std::string(at_base)},
                            {"head", at_head.empty() ? "not given" : std::string(at_head)}});
    }
  };
  add("unit", base.unit, head.unit);
  add("better", to_string(base.better), to_string(head.better));
  return warning;
}

Comparison row_of(const SessionKey& key, const MetricSessions& series,
                  const ChangesByMetric& changes, const Policy& policy, int judged, int in_all) {
  Comparison row;
  row.workload = std::get<0>(key);
  row.params = series.params;
  row.metric = series.metric;
  row.judged = series.judged;
  row.threshold = threshold_for(policy, row.workload, row.metric.name);
  if (series.base.empty() || series.head.empty()) {
    row.verdict = series.head.empty() ? Verdict::missing : Verdict::fresh;
    row.base = stats_of(series.base);
    row.head = stats_of(series.head);
    return row;
  }
  ComparableSessions sessions = comparable_sessions(series.base, series.head);
  if (is_of_history(sessions.base)) {
    sessions.base = at_last_level(sessions.base);
  }
  row.base = stats_of(sessions.base.empty() ? series.base : sessions.base);
  row.head = stats_of(sessions.head.empty() ? series.head : sessions.head);
  row.threshold =
      threshold_at(row.base ? row.base->median : 0, policy, row.workload, row.metric.name);
  if (series.unlike || sessions.base.empty()) {
    row.verdict = Verdict::incomparable;
    if (!series.unlike) {
      row.warnings.push_back(unlike_machines(series.base.front(), series.head.front()));
      return row;
    }
    row.warnings.push_back(
        unlike_metrics(series.base.front().series->metric, series.head.front().series->metric));
    if (row.warnings.back().about.contains("name")) {
      row.base.reset();  // the report would show it in head's unit
    }
    return row;
  }
  if (is_edited(series)) {
    row.verdict = Verdict::incomparable;
    row.warnings.push_back({WarningKind::edited_benchmark,
                            {},
                            {{"base", series.base_version}, {"head", series.head_version}}});
    return row;
  }
  if (series.too_few) {
    row.verdict = Verdict::failed;
    row.warnings.push_back(series.too_few->warning(row.metric.name));
    return row;
  }
  compare(sessions, {others_than(key, changes), in_all}, policy, judged, row);
  if (series.params_differ) {
    row.warnings.push_back({WarningKind::unlike_params, {}, {{"of", "sessions"}}});
  }
  if (sessions.left_out > 0) {
    row.warnings.push_back({WarningKind::other_machines, {{"sessions", sessions.left_out}}});
  }
  return row;
}

/// The rows that may err: what repeats exactly does not.
int count_inexact(const SeriesByKey& all) {
  return static_cast<int>(std::ranges::count_if(all, [](const auto& entry) {
    const MetricSessions& series = entry.second;
    return series.judged && !series.base.empty() && !series.head.empty() && !series.unlike &&
           !is_edited(series) && !repeats_exactly(ComparableSessions{series.base, series.head});
  }));
}

}  // namespace

std::vector<Comparison> judge_sessions(const std::vector<SampleSet>& base,
                                       const std::vector<SampleSet>& head, const Policy& policy,
                                       int judged, const IsChosen& is_chosen) {
  SeriesByKey all = series_by_key(base, head, policy);
  Outcomes at_base = outcomes_of(base), at_head = outcomes_of(head);
  add_unmeasured(at_base, policy, all);
  add_unmeasured(at_head, policy, all);
  add_lost(base, all, at_base);
  add_lost(head, all, at_head);
  const ChangesByMetric changes = changes_by_metric(all);
  keep_chosen(is_chosen, all);
  const int in_all = count_inexact(all);
  std::vector<Comparison> rows;
  for (const auto& [key, series] : all) {
    rows.push_back(row_of(key, series, changes, policy, judged, in_all));
    Comparison& row = rows.back();
    add_outcomes(at_base[benchmark_of(key)], at_head[benchmark_of(key)], row);
    if (!row.judged) {
      row.verdict.reset();
    }
    row.workload = name_among(all, key);
  }
  return rows;
}

}  // namespace perf
