#include "analyzer/judge/comparable_sessions.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace perf {
namespace {

/// The key that is on both sides, and on both often; nothing where none is on both.
template <typename Key, typename KeyOf>
std::optional<Key> most_common(const std::vector<SessionValue>& base,
                               const std::vector<SessionValue>& head, const KeyOf& key_of) {
  std::map<Key, std::pair<int, int>> counts;
  for (const SessionValue& one : base) {
    ++counts[key_of(one)].first;
  }
  for (const SessionValue& one : head) {
    ++counts[key_of(one)].second;
  }
  std::optional<Key> best;
  int most = 0;
  for (const auto& [key, count] : counts) {
    if (std::min(count.first, count.second) > most) {
      most = std::min(count.first, count.second);
      best = key;
    }
  }
  return best;
}

template <typename Key, typename KeyOf>
std::vector<SessionValue> those_of(const std::vector<SessionValue>& sessions, const Key& key,
                                   const KeyOf& key_of) {
  std::vector<SessionValue> found;
  std::copy_if(sessions.begin(), sessions.end(), std::back_inserter(found),
               [&](const SessionValue& one) { return key_of(one) == key; });
  return found;
}

std::vector<SessionValue> with_fingerprint(const std::vector<SessionValue>& sessions) {
  std::vector<SessionValue> found;
  std::copy_if(
      sessions.begin(), sessions.end(), std::back_inserter(found),
      [](const SessionValue& one) { return !one.session->environment.fingerprint.empty(); });
  return found;
}

}  // namespace

ComparableSessions comparable_sessions(const std::vector<SessionValue>& base,
                                       const std::vector<SessionValue>& head) {
  const auto fingerprint = [](const SessionValue& one) {
    return one.session->environment.fingerprint;
  };
  const auto machine = [](const SessionValue& one) { return one.session->environment.machine; };
  ComparableSessions chosen;
  if (const auto shared =
          most_common<std::string>(with_fingerprint(base), with_fingerprint(head), fingerprint)) {
    chosen.base = those_of(base, *shared, fingerprint);
    chosen.head = those_of(head, *shared, fingerprint);
    chosen.one_machine = true;
  } else if (const auto facts =
                 most_common<std::map<std::string, std::string>>(base, head, machine)) {
    chosen.base = those_of(base, *facts, machine);
    chosen.head = those_of(head, *facts, machine);
  }
  chosen.left_out =
      static_cast<int>(base.size() + head.size() - chosen.base.size() - chosen.head.size());
  return chosen;
}

}  // namespace perf
