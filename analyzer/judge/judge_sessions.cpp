#include "analyzer/judge/judge_sessions.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/judge/history_sessions.h"
#include "analyzer/judge/internal.h"
#include "analyzer/rows/comparison_rows.h"
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

bool any_names_machine(const std::vector<SessionValue>& sessions) {
  return std::ranges::any_of(
      sessions, [](const SessionValue& one) { return names_machine(one.session->environment); });
}

std::map<std::string, double> counts_of(const ComparableSessions& sessions) {
  std::map<std::string, double> counts{
      {"base", sessions.base.size()}, {"head", sessions.head.size()}, {"least", kFewestSessions}};
  if (const std::size_t earlier = sessions.base.size() - count_own(sessions.base); earlier > 0) {
    counts["earlier"] = static_cast<double>(earlier);
  }
  return counts;
}

using Facts = std::map<std::string, std::string>;

/// The first fact in which two machines differ: its name, and what base and head have. One that
/// both have says more than one that is not given.
Facts unlike_fact(Facts base, Facts head) {
  std::vector<Unlike> facts = unlike(base, head);
  if (facts.empty()) {
    for (const auto& [name, value] : base) {
      head.try_emplace(name, "not given");
    }
    for (const auto& [name, value] : head) {
      base.try_emplace(name, "not given");
    }
    facts = unlike(base, head);
  }
  return facts.empty() ? Facts{} : facts.front().about();
}

Warning machines_unknown(const ComparableSessions& sessions) {
  Warning warning{WarningKind::machine_unknown, counts_of(sessions)};
  const Environment& base = sessions.base.front().session->environment;
  const Environment& head = sessions.head.front().session->environment;
  if (!base.fingerprint.empty() && !head.fingerprint.empty()) {
    for (const auto& [key, text] : unlike_fact(machine_facts(base), machine_facts(head))) {
      warning.about["fact_" + key] = text;
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
  if (!any_names_machine(sessions.base) && !any_names_machine(sessions.head)) {
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

/// m: of the sessions, and of the rows of two files, which are one report.
struct Judged {
  int sessions = 1, rows = 1;
};

/// Change and, where possible, interval and verdict; `others` is what other benchmarks changed by.
void compare(const ComparableSessions& sessions, const std::vector<double>& others,
             const Policy& policy, const Judged& judged, Comparison& row) {
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
  if (may_be_controlled(sessions)) {
    judge_by_others(sessions, others, judged.rows, policy, row);
    return;
  }
  const double alpha = policy.alpha / judged.sessions;
  const bool may_have_interval =
      sessions.one_machine && has_samples(sessions.base) && has_samples(sessions.head);
  const bool of_history = is_of_history(sessions.base);
  const std::size_t own = count_own(sessions.base);
  auto shift = may_have_interval && own > 0 ? estimate_two_sample_shift(*base, *head, alpha)
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
  row.notes.push_back({WarningKind::judged_from_sessions, counts_of(sessions)});
  row.notes.push_back(
      {WarningKind::correlated_sessions,
       {{"widening", shift->noise.widening}, {"correlation", shift->noise.correlation}}});
  if (shift->shift.low == shift->shift.high && largest > 0) {
    row.warnings.push_back({WarningKind::equal_sessions});
  }
}

/// What a metric has on both sides, where it is not the same.
Warning unlike_metrics(const Metric& base, const Metric& head) {
  const auto facts_of = [](const Metric& metric) {
    Facts facts{{"better", std::string(to_string(metric.better))}};
    if (!metric.unit.empty()) {
      facts["unit"] = metric.unit;
    }
    return facts;
  };
  Warning warning{WarningKind::unlike_units, {}, unlike_fact(facts_of(base), facts_of(head))};
  warning.about["where"] = "everywhere";
  return warning;
}

std::optional<Warning> why_incomparable(const MetricSessions& series,
                                        const ComparableSessions& comparable) {
  const SessionValue &base = series.base.front(), &head = series.head.front();
  if (series.unlike) {
    return unlike_metrics(base.series->metric, head.series->metric);
  }
  if (comparable.base.empty()) {
    return Warning{
        WarningKind::unlike_machines,
        {},
        unlike_fact(base.session->environment.machine, head.session->environment.machine)};
  }
  if (is_edited(series)) {
    return Warning{WarningKind::edited_benchmark,
                   {},
                   {{"base", series.base_version}, {"head", series.head_version}}};
  }
  return std::nullopt;
}

Comparison row_of(const SessionKey& key, const MetricSessions& series,
                  const ChangesByMetric& changes, const Policy& policy, const Judged& judged) {
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
  if (std::optional<Warning> why = why_incomparable(series, sessions)) {
    row.verdict = Verdict::incomparable;
    if (series.unlike && why->about.contains("name")) {
      row.base.reset();  // the report would show it in head's unit
    }
    row.warnings.push_back(std::move(*why));
    return row;
  }
  if (series.too_few) {
    row.verdict = Verdict::failed;
    row.warnings.push_back(series.too_few->warning(row.metric.name));
    return row;
  }
  compare(sessions, others_than(key, changes), policy, judged, row);
  if (series.params_differ) {
    row.warnings.push_back({WarningKind::unlike_params, {}, {{"of", "sessions"}}});
  }
  if (sessions.left_out > 0) {
    row.warnings.push_back({WarningKind::other_machines, {{"sessions", sessions.left_out}}});
  }
  return row;
}

bool is_judged(const MetricSessions& series) {
  return series.judged && !series.base.empty() && !series.head.empty();
}

/// The rows that may err: what repeats exactly does not.
int count_inexact(const SeriesByKey& all) {
  return static_cast<int>(std::ranges::count_if(all, [](const auto& entry) {
    const MetricSessions& series = entry.second;
    return is_judged(series) && !series.unlike && !is_edited(series) &&
           !repeats_exactly(ComparableSessions{series.base, series.head});
  }));
}

/// What both sides have and lack.
struct Sides {
  SeriesByKey chosen;
  Outcomes at_base, at_head;
  ChangesByMetric changes;  ///< of all benchmarks, chosen or not
};

Sides read_sides(const std::vector<SampleSet>& base, const std::vector<SampleSet>& head,
                 const Policy& policy, const std::vector<std::string>& globs) {
  Sides sides{series_by_key(base, head, policy), outcomes_of(base), outcomes_of(head), {}};
  add_unmeasured(sides.at_base, policy, sides.chosen);
  add_unmeasured(sides.at_head, policy, sides.chosen);
  add_lost(base, head, sides.chosen, sides.at_base);
  add_lost(head, base, sides.chosen, sides.at_head);
  sides.changes = changes_by_metric(sides.chosen);
  keep_chosen(globs, sides.chosen);
  return sides;
}

/// The checks of a benchmark where the revision itself ran it.
ChecksOfRuns checks_in(const std::vector<SampleSet>& sets, const BenchmarkId& benchmark) {
  ChecksOfRuns all;
  for (const SampleSet& set : sets) {
    const auto found = set.checks.find(benchmark);
    if (found != set.checks.end() && set.commits_before == 0) {
      all.insert(all.end(), found->second.begin(), found->second.end());
    }
  }
  return all;
}

}  // namespace

std::map<std::string, std::string> machine_facts(const Environment& told) {
  Facts facts = told.machine;
  std::string_view lines = told.fingerprint;
  while (!lines.empty()) {
    const std::string line(take_line(lines));
    if (const std::size_t equals = line.find('='); equals != std::string::npos) {
      facts.emplace(line.substr(0, equals), line.substr(equals + 1));
    }
  }
  return facts;
}

bool names_machine(const Environment& told) {
  return !told.fingerprint.empty() || !told.machine.empty();
}

std::vector<Comparison> judge_sessions(const std::vector<SampleSet>& base,
                                       const std::vector<SampleSet>& head, const Policy& policy,
                                       int judged, const std::vector<std::string>& globs) {
  Sides sides = read_sides(base, head, policy, globs);
  const Judged m{std::max(judged, 1), std::max({judged, count_inexact(sides.chosen), 1})};
  std::vector<Comparison> rows;
  std::map<BenchmarkId, std::string> names;
  for (const auto& [key, series] : sides.chosen) {
    const BenchmarkId benchmark = benchmark_of(key);
    rows.push_back(row_of(key, series, sides.changes, policy, m));
    Comparison& row = rows.back();
    add_outcomes(sides.at_base[benchmark], sides.at_head[benchmark], row);
    if (!row.judged) {
      row.verdict.reset();
    }
    row.workload = names[benchmark] = name_among(sides.chosen, key);
  }
  for (const auto& [benchmark, name] : names) {
    attach_checks(name, check_results(checks_in(base, benchmark), checks_in(head, benchmark)),
                  rows);
  }
  return rows;
}

int count_judged(const std::vector<SampleSet>& base, const std::vector<SampleSet>& head,
                 const Policy& policy, const std::vector<std::string>& globs) {
  const SeriesByKey chosen = read_sides(base, head, policy, globs).chosen;
  return static_cast<int>(
      std::ranges::count_if(chosen, [](const auto& entry) { return is_judged(entry.second); }));
}

}  // namespace perf
