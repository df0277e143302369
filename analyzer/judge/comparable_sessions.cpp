#include <algorithm>
#include <array>
#include <map>
#include <string>

#include "analyzer/judge/judge_sessions.h"

namespace perf {
namespace {

/// Never empty: that no fact is known is the same on both sides, too.
std::string facts_of(const Environment& told) {
  std::string text = "facts:\n";
  for (const auto& [name, value] : told.machine) {
    text += name + "=" + value + "\n";
  }
  return text;
}

constexpr std::array kSides{&ComparableSessions::base, &ComparableSessions::head};

/// How often a key is on both sides.
std::size_t shared(const ComparableSessions& sessions) {
  return std::min(sessions.base.size(), sessions.head.size());
}

/// The sessions of the key that is on both sides, and on both often; none where none is on both.
ComparableSessions sharing(const ComparableSessions& all,
                           std::string (*key_of)(const Environment&)) {
  std::map<std::string, ComparableSessions> by_key;
  for (const auto side : kSides) {
    for (const SessionValue& one : all.*side) {
      (by_key[key_of(one.session->environment)].*side).push_back(one);
    }
  }
  by_key.erase("");
  const auto best =
      std::ranges::max_element(by_key, {}, [](const auto& one) { return shared(one.second); });
  return best == by_key.end() || shared(best->second) == 0 ? ComparableSessions{} : best->second;
}

/// Whether no fact of the machine has two values among them.
bool agree(const ComparableSessions& sessions) {
  std::map<std::string, std::string> known;
  for (const auto side : kSides) {
    for (const SessionValue& one : sessions.*side) {
      for (const auto& fact : one.session->environment.machine) {
        if (known.insert(fact).first->second != fact.second) {
          return false;
        }
      }
    }
  }
  return true;
}

}  // namespace

ComparableSessions comparable_sessions(const std::vector<SessionValue>& base,
                                       const std::vector<SessionValue>& head) {
  const ComparableSessions all{base, head};
  ComparableSessions chosen =
      sharing(all, [](const Environment& told) { return told.fingerprint; });
  chosen.one_machine = !chosen.base.empty() && agree(chosen);
  if (!chosen.one_machine) {
    chosen = agree(all) ? all : sharing(all, facts_of);
  }
  chosen.left_out =
      static_cast<int>(base.size() + head.size() - chosen.base.size() - chosen.head.size());
  return chosen;
}

}  // namespace perf
