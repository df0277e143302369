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

/// A session of another tool's file; of this one there are pairs.
bool is_of_a_file(const SessionValue& one) {
  return !one.session->of_workloads && !one.series->values.empty();
}

bool names_no_machine(const std::vector<SessionValue>& sessions) {
  return std::ranges::all_of(sessions, [](const SessionValue& one) {
    return one.session->environment.fingerprint.empty();
  });
}

std::vector<double> logarithms_of(const SessionValue& session) {
  std::vector<double> values;
  const auto& all = session.series->values;
  for (const double value : std::span(all).first(std::min(all.size(), kMostRepetitions))) {
    values.push_back(std::log(value));
  }
  return values;
}

bool repeats_exactly(const std::vector<SessionValue>& side) {
  return std::ranges::all_of(side, [&side](const SessionValue& one) {
    return one.series->exact && !one.series->values.empty() &&
           std::ranges::all_of(one.series->values,
                               [&side](double value) { return value == side.front().value; });
  });
}

}  // namespace

ChangesByMetric changes_by_metric(const SeriesByKey& all) {
  ChangesByMetric changes;
  for (const auto& [key, series] : all) {
    if (series.base.size() == 1 && series.head.size() == 1 && series.base.front().value > 0 &&
        series.head.front().value > 0) {
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
         (sessions.one_machine ||
          (names_no_machine(sessions.base) && names_no_machine(sessions.head)));
}

std::optional<Shift> shift_against(const std::vector<double>& others,
                                   const ComparableSessions& sessions, double level) {
  const std::vector<double> base = logarithms_of(sessions.base.front());
  const std::vector<double> head = logarithms_of(sessions.head.front());
  const auto is_finite = [](double value) { return std::isfinite(value); };
  if (!std::ranges::all_of(base, is_finite) || !std::ranges::all_of(head, is_finite)) {
    return std::nullopt;
  }
  return controlled_shift(base, head, others, level);
}

bool repeats_exactly(const ComparableSessions& sessions) {
  return repeats_exactly(sessions.base) && repeats_exactly(sessions.head);
}

}  // namespace perf
