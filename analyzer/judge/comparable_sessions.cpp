#include <algorithm>
#include <array>
#include <map>
#include <string>

#include "analyzer/judge/judge_sessions.h"

namespace perf {
namespace {

std::string fingerprint_of(const Environment& told) {
  return told.fingerprint;
}

/// Never empty: that no fact is known is the same on both sides, too.
std::string facts_of(const Environment& told) {
  std::string text = "facts:\n";
  for (const auto& [name, value] : told.machine) {
    text += name + "=" + value + "\n";
  }
  return text;
}

/// The sessions of the key that is on both sides, and on both often; none where none is on both.
ComparableSessions sharing(const std::vector<SessionValue>& base,
                           const std::vector<SessionValue>& head,
                           std::string (*key_of)(const Environment&)) {
  std::map<std::string, ComparableSessions> by_key;
  for (const SessionValue& one : base) {
    by_key[key_of(one.session->environment)].base.push_back(one);
  }
  for (const SessionValue& one : head) {
    by_key[key_of(one.session->environment)].head.push_back(one);
  }
  by_key.erase("");
  ComparableSessions best;
  std::size_t most = 0;
  for (const auto& [key, sessions] : by_key) {
    if (const std::size_t often = std::min(sessions.base.size(), sessions.head.size());
        often > most) {
      most = often;
      best = sessions;
    }
  }
  return best;
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
  ComparableSessions chosen = sharing(base, head, fingerprint_of);
  chosen.one_machine = !chosen.base.empty() && agree(chosen);
  if (!chosen.one_machine) {
    chosen = ComparableSessions{base, head};
    if (!agree(chosen)) {
      chosen = sharing(base, head, facts_of);
    }
  }
  chosen.left_out =
      static_cast<int>(base.size() + head.size() - chosen.base.size() - chosen.head.size());
  return chosen;
}

}  // namespace perf
