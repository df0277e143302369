#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>

#include "analyzer/trend/internal.h"
#include "schema/text/lists.h"

namespace perf {
namespace {

/// The value of a fact in more than half of them; empty text: not known.
std::optional<std::string> usual_value(const std::vector<const Facts*>& side,
                                       const std::string& fact) {
  std::map<std::string, std::size_t> counts;
  for (const Facts* facts : side) {
    ++counts[value_or_empty(*facts, fact)];
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

std::vector<std::string> facts_changed_between(const PlacesAbout& change,
                                               const std::function<FactsAt>& facts_at) {
  const auto facts_in = [&](std::size_t begin, std::size_t end) {
    std::vector<const Facts*> known;
    for (std::size_t i = begin; i < end; ++i) {
      if (const Facts* facts = facts_at(i)) {
        known.push_back(facts);
      }
    }
    return known;
  };
  const std::size_t first = change.before - std::min(change.before, kLevelPoints);
  const std::size_t end = std::min(change.after + kLevelPoints, change.end);
  return changed_facts(facts_in(std::max(first, change.begin), change.before),
                       facts_in(change.after, end));
}

const Facts* facts_of_run(const RecordedHistory& recorded, std::uint32_t run) {
  return run < recorded.runs.size() ? &recorded.runs[run].facts : nullptr;
}

}  // namespace perf
