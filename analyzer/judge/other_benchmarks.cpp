#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

#include "analyzer/judge/internal.h"
#include "analyzer/statistics/session_control.h"

namespace perf {
namespace {

constexpr std::size_t kMostOthers = 1000;
constexpr std::size_t kMostRepetitions = 1000;  ///< a side, of which all differences are taken

/// Samples behind statistics, or equal counts a side, from which on they say something.
constexpr int kFewestSamples = 4;

/// A session of another tool's file; of this one there are pairs.
bool is_of_a_file(const SessionValue& one) {
  return !one.session->of_workloads;
}

bool names_no_machine(const std::vector<SessionValue>& sessions) {
  return std::ranges::all_of(sessions, [](const SessionValue& one) {
    return one.session->environment.fingerprint.empty();
  });
}

SessionRepetitions repetitions_of(const SessionValue& session) {
  SessionRepetitions one;
  const auto& all = session.series->values;
  for (const double value : std::span(all).first(std::min(all.size(), kMostRepetitions))) {
    one.values.push_back(std::log(value));
  }
  const std::optional<SideStats>& summary = session.series->summary;
  if (all.size() <= 1 && summary && summary->median > 0) {
    one.values.clear();
    one.centre = std::log(summary->median);
    one.error = summary->steps >= kFewestSamples ? summary->stddev / summary->median : 0;
  }
  return one;
}

bool is_finite(const SessionRepetitions& one) {
  return std::ranges::all_of(one.values, [](double value) { return std::isfinite(value); });
}

/// Equal times or rates show a coarse clock.
bool may_be_equal(const SampleSeries& series) {
  return is_size(series.metric) && std::ssize(series.values) >= kFewestSamples;
}

bool repeats_exactly(const std::vector<SessionValue>& side) {
  return std::ranges::all_of(side, [&side](const SessionValue& one) {
    const std::vector<double>& values = one.series->values;
    return (one.series->exact || may_be_equal(*one.series)) && !values.empty() &&
           std::ranges::count(values, side.front().value) == std::ssize(values);
  });
}

}  // namespace

ChangesByMetric changes_by_metric(const SeriesByKey& all) {
  ChangesByMetric changes;
  for (const auto& [key, series] : all) {
    if (!series.unlike && !is_edited(series) && series.base.size() == 1 &&
        series.head.size() == 1 && series.base.front().value > 0 && series.head.front().value > 0) {
      changes[series.metric.name][key] =
          std::log(series.head.front().value) - std::log(series.base.front().value);
    }
  }
  return changes;
}

std::vector<double> others_than(const SessionKey& key, const ChangesByMetric& changes) {
  std::vector<double> others;
  const auto found = changes.find(std::get<2>(key));
  if (found == changes.end()) {
    return others;
  }
  for (const auto& [other, change] : found->second) {
    if (other != key && others.size() < kMostOthers) {
      others.push_back(change);
    }
  }
  return others;
}

bool may_be_controlled(const ComparableSessions& sessions) {
  return sessions.base.size() == 1 && sessions.head.size() == 1 &&
         is_of_a_file(sessions.base.front()) && is_of_a_file(sessions.head.front()) &&
         (sessions.one_machine || names_no_machine(sessions.base) ||
          names_no_machine(sessions.head));
}

std::optional<Shift> shift_against(const std::vector<double>& others,
                                   const ComparableSessions& sessions, int rows, double alpha) {
  const SessionRepetitions base = repetitions_of(sessions.base.front());
  const SessionRepetitions head = repetitions_of(sessions.head.front());
  return is_finite(base) && is_finite(head) ? controlled_shift(base, head, others, rows, alpha)
                                            : std::nullopt;
}

bool repeats_exactly(const ComparableSessions& sessions) {
  if (!repeats_exactly(sessions.base) || !repeats_exactly(sessions.head)) {
    return false;
  }
  const SessionValue& base = sessions.base.front();
  const SessionValue& head = sessions.head.front();
  return (base.series->exact && head.series->exact) || base.value == head.value;
}

}  // namespace perf
