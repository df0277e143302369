#include "analyzer/judge/judge_sessions.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>

#include "analyzer/rule/decision.h"
#include "analyzer/samples/metric_samples.h"
#include "analyzer/statistics/centre_and_spread.h"
#include "analyzer/statistics/log_ratio.h"
#include "analyzer/statistics/two_sample_shift.h"
#include "schema/side_stats.h"
#include "schema/wording.h"

namespace perf {
namespace {

/// One benchmark and metric, of both sides.
struct MetricSessions {
  Metric metric;
  bool judged = false;
  bool unlike = false;  ///< its unit or direction is not the same everywhere
  Params params;
  bool params_differ = false;
  std::vector<SessionValue> base, head;
};
/// Benchmark, parameters where they tell benchmarks of one name apart, metric.
using Key = std::tuple<std::string, Params, std::string>;
using SeriesByKey = std::map<Key, MetricSessions>;

void add_side(const std::vector<SampleSet>& sets, const Policy& policy,
              std::vector<SessionValue> MetricSessions::*side, SeriesByKey& all) {
  for (const SampleSet& set : sets) {
    for (const SampleSeries& series : set.series) {
      if (!is_shown(policy, series.metric.name)) {
        continue;
      }
      const auto [found, is_first] = all.try_emplace(
          {series.name, set.of_workloads ? Params{} : series.params, series.metric.name});
      MetricSessions& one = found->second;
      if (is_first) {
        one.metric = series.metric;
        one.params = series.params;
      }
      one.params_differ |= one.params != series.params;
      one.unlike |= !(one.metric == series.metric);
      one.judged |= series.judge || !policy.metrics.empty();
      const double value =
          series.values.empty() && series.summary ? series.summary->median : median(series.values);
      (one.*side).push_back({&set, &series, value});
    }
  }
}

/// What failed in head's sessions and was measured in none of them.
void add_failures(const std::vector<SampleSet>& head, const Policy& policy, SeriesByKey& all,
                  std::map<std::string, std::string>& failures) {
  for (const SampleSet& set : head) {
    failures.insert(set.failures.begin(), set.failures.end());
  }
  for (const SampleSet& set : head) {
    for (const SampleSeries& series : set.series) {
      failures.erase(series.name);
    }
  }
  for (const auto& [name, reason] : failures) {
    const bool is_known = std::ranges::any_of(
        all, [&](const auto& entry) { return std::get<0>(entry.first) == name; });
    if (!is_known && is_shown(policy, kStepTime.name)) {
      MetricSessions& series = all[{name, {}, kStepTime.name}];
      series.metric = kStepTime;
      series.judged = true;
    }
  }
}

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

bool holds_samples(const std::vector<SessionValue>& sessions) {
  return std::ranges::none_of(sessions,
                              [](const SessionValue& one) { return one.series->values.empty(); });
}

/// Whether any of them says a word about its machine.
bool names_machine(const std::vector<SessionValue>& sessions) {
  return std::ranges::any_of(sessions, [](const SessionValue& one) {
    const Environment& told = one.session->environment;
    return !told.fingerprint.empty() || !told.machine.empty();
  });
}

std::string how_many(const ComparableSessions& sessions) {
  return counted(sessions.base.size(), "session") + " of base, " +
         std::to_string(sessions.head.size()) + " of head";
}

/// Why these sessions bear no verdict, and what would.
std::string why_inconclusive(const ComparableSessions& sessions, double alpha) {
  const std::string counts = "no pairs, but " + how_many(sessions) + ": ";
  const std::string measure = "; for a verdict measure pairs (perf-compare BASE HEAD)";
  if (!holds_samples(sessions.base) || !holds_samples(sessions.head)) {
    return counts + "a report holds no samples" + measure;
  }
  const std::string more = measure + ", or give " + std::to_string(kFewestSessions) +
                           " or more sessions a side of one machine";
  if (!names_machine(sessions.base) && !names_machine(sessions.head)) {
    return counts + "this format names no machine; of " + std::to_string(kFewestSessions) +
           " sessions a side --environment NAME says that they ran on one" + measure +
           "; a workload's \"format\" in the config reads what this tool prints";
  }
  if (!sessions.one_machine) {
    return counts + "nothing tells that they ran on one machine" + more;
  }
  if (std::min(sessions.base.size(), sessions.head.size()) <
      static_cast<std::size_t>(kFewestSessions)) {
    return counts + "repetitions within a session share its noise" + more;
  }
  return counts + "an interval at this error rate takes " + std::to_string(fewest_sessions(alpha)) +
         " a side";
}

void note_sessions(const ComparableSessions& sessions, const SessionNoise& noise, Comparison& row) {
  row.notes.push_back("no pairs: judged from " + how_many(sessions) +
                      ", one value each; a machine that changed between them would look the same");
  row.notes.push_back("interval widened " + with_decimals(noise.widening, 1) +
                      " times: sessions that follow each other may hang together (correlation up "
                      "to " +
                      with_decimals(noise.correlation, 1) + ")");
}

/// Change, and where the sessions bear one, interval and verdict.
void compare(const MetricSessions& series, const ComparableSessions& sessions, const Policy& policy,
             int judged, Comparison& row) {
  auto base = logarithms(sessions.base), head = logarithms(sessions.head);
  if (!base || !head) {
    row.verdict = Verdict::incomparable;
    row.warnings.push_back({WarningKind::no_ratio});
    return;
  }
  const double largest = std::max(std::ranges::max(sessions.base, {}, &SessionValue::value).value,
                                  std::ranges::max(sessions.head, {}, &SessionValue::value).value);
  if (tells_nothing_below(largest, series.metric.name)) {
    std::ranges::fill(*base, 0);
    std::ranges::fill(*head, 0);
  }
  row.change = relative_change(two_sample_estimate(*base, *head));
  row.verdict = Verdict::inconclusive;
  const double alpha = policy.alpha / std::max(judged, 1);
  const bool bears = sessions.one_machine && holds_samples(sessions.base) &&
                     holds_samples(sessions.head) && row.judged;
  const auto shift =
      bears ? estimate_two_sample_shift(*base, *head, alpha) : std::optional<TwoSampleShift>{};
  if (!shift) {
    if (row.judged) {
      row.notes.push_back(why_inconclusive(sessions, alpha));
    }
    return;
  }
  Rule rule;
  rule.bounds = bounds_for(row.threshold, policy);
  rule.better = series.metric.better;
  rule.look_alpha = alpha;
  Decision decision;
  decision.estimate = shift->shift.estimate;
  decision.shift = shift->shift;
  decision.verdict = verdict_at_look(shift->shift, rule.better, rule.bounds);
  record(decision, rule, row);
  row.p_value.reset();  // the interval is wider than any test's
  note_sessions(sessions, shift->noise, row);
}

Comparison row_of(const Key& key, const MetricSessions& series, const Policy& policy, int judged) {
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
  const ComparableSessions sessions = comparable_sessions(series.base, series.head);
  row.base = stats_of(sessions.base.empty() ? series.base : sessions.base);
  row.head = stats_of(sessions.head.empty() ? series.head : sessions.head);
  row.threshold =
      threshold_at(row.base ? row.base->median : 0, policy, row.workload, row.metric.name);
  if (series.unlike || sessions.base.empty()) {
    row.verdict = Verdict::incomparable;
    row.warnings.push_back(series.unlike
                               ? Warning{WarningKind::unlike_units, {}, {{"where", "everywhere"}}}
                               : Warning{WarningKind::unlike_machines});
    return row;
  }
  compare(series, sessions, policy, judged, row);
  if (series.params_differ) {
    row.warnings.push_back({WarningKind::unlike_params, {}, {{"of", "sessions"}}});
  }
  if (sessions.left_out > 0) {
    row.warnings.push_back({WarningKind::other_machines, {{"sessions", sessions.left_out}}});
  }
  return row;
}

/// What a benchmark is called beside these: of those that parameters alone tell apart, with them.
std::string name_among(const SeriesByKey& all, const Key& key) {
  const auto& [name, params, metric] = key;
  std::set<Params> there;
  for (auto one = all.lower_bound({name, {}, ""});
       one != all.end() && std::get<0>(one->first) == name; ++one) {
    there.insert(std::get<1>(one->first));
  }
  std::string full = name;
  if (there.size() > 1) {
    for (const auto& [param, value] : params) {
      full += " " + param + "=" + to_text(value);
    }
  }
  return full;
}

SeriesByKey series_by_key(const std::vector<SampleSet>& base, const std::vector<SampleSet>& head,
                          const Policy& policy) {
  SeriesByKey all;
  add_side(head, policy, &MetricSessions::head, all);  // where they disagree, it is as head says
  add_side(base, policy, &MetricSessions::base, all);
  return all;
}

}  // namespace

std::set<std::string> metric_names(const std::vector<SampleSet>& sets) {
  std::set<std::string> names;
  for (const SampleSet& set : sets) {
    for (const SampleSeries& series : set.series) {
      names.insert(series.metric.name);
    }
  }
  return names;
}

std::vector<Comparison> judge_sessions(const std::vector<SampleSet>& base,
                                       const std::vector<SampleSet>& head, const Policy& policy,
                                       int judged) {
  SeriesByKey all = series_by_key(base, head, policy);
  std::map<std::string, std::string> failures;
  add_failures(head, policy, all, failures);
  std::vector<Comparison> rows;
  for (const auto& [key, series] : all) {
    rows.push_back(row_of(key, series, policy, judged));
    Comparison& row = rows.back();
    const auto failure = failures.find(row.workload);
    if (row.verdict == Verdict::missing && failure != failures.end()) {
      row.verdict = Verdict::failed;
      row.warnings.push_back(
          {WarningKind::failed, {}, {{"side", "head"}, {"why", failure->second}}});
    }
    if (!row.judged) {
      row.verdict.reset();
    }
    row.workload = name_among(all, key);
  }
  return rows;
}

int count_judged(const std::vector<SampleSet>& base, const std::vector<SampleSet>& head,
                 const Policy& policy) {
  const SeriesByKey all = series_by_key(base, head, policy);
  return static_cast<int>(std::ranges::count_if(all, [](const auto& entry) {
    return entry.second.judged && !entry.second.base.empty() && !entry.second.head.empty();
  }));
}

}  // namespace perf
