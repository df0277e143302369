#include <cstddef>
#include <optional>
#include <set>

#include "analyzer/trend/internal.h"

namespace perf {
namespace {

/// The value of a fact in more than half of them; empty text: not known.
std::optional<std::string> usual_value(const std::vector<const Facts*>& side,
                                       const std::string& fact) {
  std::map<std::string, std::size_t> counts;
  for (const Facts* facts : side) {
    const auto found = facts->find(fact);
    ++counts[found == facts->end() ? std::string() : found->second];
  }
  for (const auto& [value, count] : counts) {
    if (2 * count > side.size()) {
      return value;
    }
  }
  return std::nullopt;
}

std::string shown(const std::string& value) {
  return value.empty() ? "not said" : value;
}

}  // namespace

std::vector<std::string> changed_facts(const std::vector<const Facts*>& before,
                                       const std::vector<const Facts*>& after) {
  std::set<std::string> names;
  for (const std::vector<const Facts*>* side : {&before, &after}) {
    for (const Facts* facts : *side) {
      for (const auto& [name, value] : *facts) {
        names.insert(name);
      }
    }
  }
  std::vector<std::string> changed;
  for (const std::string& name : names) {
    const std::optional<std::string> was = usual_value(before, name);
    const std::optional<std::string> is = usual_value(after, name);
    if (was && is && *was != *is) {
      changed.push_back(name + ": " + shown(*was) + " -> " + shown(*is));
    }
  }
  return changed;
}

}  // namespace perf
