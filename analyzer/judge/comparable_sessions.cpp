#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <type_traits>

#include "analyzer/judge/judge_sessions.h"

namespace perf {
namespace {

/// The sessions of the key that is on both sides, and on both often; none where none is on both.
/// `or_none`: it may be empty.
template <typename KeyOf>
ComparableSessions sharing(const std::vector<SessionValue>& base,
                           const std::vector<SessionValue>& head, const KeyOf& key_of,
                           bool or_none) {
  std::map<std::decay_t<decltype(key_of(base.front()))>, ComparableSessions> by_key;
  for (const SessionValue& one : base) {
    by_key[key_of(one)].base.push_back(one);
  }
  for (const SessionValue& one : head) {
    by_key[key_of(one)].head.push_back(one);
  }
  std::erase_if(by_key, [&](const auto& entry) {
    return entry.second.base.empty() || entry.second.head.empty() ||
           (entry.first.empty() && !or_none);
  });
  const auto best = std::ranges::max_element(by_key, {}, [](const auto& entry) {
    return std::min(entry.second.base.size(), entry.second.head.size());
  });
  return best == by_key.end() ? ComparableSessions() : best->second;
}

/// Whether no fact of the machine has two values among them.
bool agree(const ComparableSessions& sessions) {
  std::map<std::string, std::string> known;
  return std::ranges::all_of(std::array{&sessions.base, &sessions.head}, [&](const auto* side) {
    return std::ranges::all_of(*side, [&](const SessionValue& one) {
      return std::ranges::all_of(one.session->environment.machine, [&](const auto& fact) {
        return known.insert(fact).first->second == fact.second;
      });
    });
  });
}

}  // namespace

ComparableSessions comparable_sessions(const std::vector<SessionValue>& base,
                                       const std::vector<SessionValue>& head) {
  ComparableSessions chosen = sharing(
      base, head, [](const SessionValue& one) { return one.session->environment.fingerprint; },
      false);
  chosen.one_machine = !chosen.base.empty() && agree(chosen);
  if (!chosen.one_machine) {
    chosen = ComparableSessions{base, head};
    if (!agree(chosen)) {
      chosen = sharing(
          base, head, [](const SessionValue& one) { return one.session->environment.machine; },
          true);
    }
  }
  chosen.left_out =
      static_cast<int>(base.size() + head.size() - chosen.base.size() - chosen.head.size());
  return chosen;
}

}  // namespace perf
