#include "analyzer/judge/history_sessions.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "analyzer/detector/change_points.h"
#include "analyzer/statistics/shift.h"
#include "schema/text/lists.h"

namespace perf {
namespace {

constexpr std::size_t kDayOfTime = 10;  ///< characters of "2026-01-31T12:00:00Z" of the day

/// A way to choose: a fingerprint, and one host of it or (empty) the newest session of each.
struct Choice {
  std::string fingerprint, host;
  auto operator<=>(const Choice&) const = default;
};

/// The newest session under each key, of the newest kExactSessions keys; in the order given.
template <typename KeyOf>
std::vector<SampleSet> newest_by(const std::vector<SampleSet>& sessions, const KeyOf& key_of) {
  std::vector<SampleSet> kept;
  std::set<decltype(key_of(sessions.front()))> seen;
  for (auto one = sessions.rbegin(); one != sessions.rend(); ++one) {
    if (seen.insert(key_of(*one)).second) {
      kept.push_back(*one);
    }
  }
  kept.resize(std::min<std::size_t>(kept.size(), kExactSessions));
  std::ranges::reverse(kept);
  return kept;
}

std::vector<SampleSet> chosen(std::vector<SampleSet> sessions, const Choice& choice) {
  std::erase_if(sessions, [&choice](const SampleSet& one) {
    return one.environment.fingerprint != choice.fingerprint ||
           (!choice.host.empty() && one.host != choice.host) || one.series.empty();
  });
  return newest_by(sessions, [&choice](const SampleSet& one) {
    return choice.host.empty() ? one.host : one.measured_at.substr(0, kDayOfTime);
  });
}

bool has_own(const std::vector<SampleSet>& base) {
  return std::ranges::any_of(base, [](const SampleSet& one) { return one.commits_before == 0; });
}

void sort_by_time(std::vector<SampleSet>& sessions) {
  std::ranges::stable_sort(sessions, {}, [](const SampleSet& one) {
    return std::tuple(-one.commits_before, one.measured_at);
  });
}

}  // namespace

void keep_independent(std::vector<SampleSet>& base, std::vector<SampleSet>& head) {
  sort_by_time(base);
  sort_by_time(head);
  std::set<Choice> choices;
  for (const SampleSet& one : head) {
    choices.insert({one.environment.fingerprint, ""});
    choices.insert({one.environment.fingerprint, one.host});
  }
  std::pair<std::vector<SampleSet>, std::vector<SampleSet>> best;
  const auto rank_of = [](const auto& sides) {
    return std::pair(std::min(sides.first.size(), sides.second.size()),
                     sides.first.size() + sides.second.size());
  };
  for (const Choice& choice : choices) {
    std::pair sides{chosen(base, choice), chosen(head, choice)};
    if (has_own(sides.first) && !sides.second.empty() && rank_of(sides) > rank_of(best)) {
      best = std::move(sides);
    }
  }
  if (!best.first.empty()) {
    std::ranges::copy_if(head, std::back_inserter(best.second), [](const SampleSet& one) {
      return one.series.empty();  // a failure, which is said
    });
    std::tie(base, head) = std::move(best);
  }
}

bool is_of_history(const std::vector<SessionValue>& base) {
  return count_own(base) < base.size();
}

std::vector<SessionValue> at_last_level(const std::vector<SessionValue>& base) {
  std::vector<double> values = mapped(base, &SessionValue::value);
  const std::vector<FoundStep> steps = find_steps(values);
  const std::size_t begin = steps.empty() ? 0 : steps.back().index;
  return {base.begin() + static_cast<std::ptrdiff_t>(begin), base.end()};
}

std::size_t count_own(const std::vector<SessionValue>& base) {
  return static_cast<std::size_t>(std::ranges::count_if(
      base, [](const SessionValue& one) { return one.session->commits_before == 0; }));
}

}  // namespace perf
