#include "analyzer/warnings/fairness.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace perf {
namespace {

using Texts = std::map<std::string, std::string>;

/// What one side said of itself; the first said stays.
struct Said {
  Params params;
  Texts facts;
};

Said said_by(const std::vector<const Invocation*>& invocations) {
  Said said;
  for (const Invocation* invocation : invocations) {
    for (const Block& block : invocation->blocks) {
      said.params.insert(block.params.begin(), block.params.end());
      said.facts.insert(block.facts.begin(), block.facts.end());
    }
  }
  return said;
}

std::optional<Param> find(const Params& params, const std::string& key) {
  const auto found = params.find(key);
  return found == params.end() ? std::nullopt : std::optional<Param>(found->second);
}

bool same(const std::optional<Param>& a, const std::optional<Param>& b) {
  return a && b ? same_value(*a, *b) : !a && !b;
}

std::string shown(const std::optional<Param>& value) {
  return value ? to_text(*value) : "not stated";
}

std::set<std::string> keys_of(const Params& a, const Params& b) {
  std::set<std::string> keys;
  for (const Params* params : {&a, &b}) {
    for (const auto& [key, value] : *params) {
      keys.insert(key);
    }
  }
  return keys;
}

/// The parameters that the two sides were wished to differ in.
std::set<std::string> set_keys(const PlannedWorkload& planned) {
  std::set<std::string> keys;
  for (const std::string& key : keys_of(*planned.base_params, planned.workload.params)) {
    if (!same(find(*planned.base_params, key), find(planned.workload.params, key))) {
      keys.insert(key);
    }
  }
  return keys;
}

bool names_fact(const std::string& key, const std::string& fact) {
  return key == fact || ((key == "backend" || key == "blas") && fact.rfind("blas", 0) == 0);
}

void check_setting(const PlannedWorkload& planned, const std::string& key, const Said& base,
                   const Said& head, Comparison& row) {
  const auto at_base = find(base.params, key), at_head = find(head.params, key);
  if (at_base && at_head && same(at_base, at_head)) {
    row.warnings.push_back({"setting_not_taken", "setting was not taken: both sides ran with " +
                                                     key + " " + shown(at_head)});
    return;
  }
  if (!at_base && !at_head && !base.params.empty() && !head.params.empty()) {
    row.warnings.push_back(
        {"setting_not_taken", "setting was not taken, as far as it says: " + key +
                                  " is none of the parameters that it states"});
    return;
  }
  const auto note = [&row, &key](const std::optional<Param>& wanted,
                                 const std::optional<Param>& taken, const std::string& side) {
    if (wanted && taken && !same(wanted, taken)) {
      row.notes.push_back(key + ": " + shown(wanted) + " was asked for at " + side +
                          ", it ran with " + shown(taken));
    }
  };
  note(find(*planned.base_params, key), at_base, "base");
  note(find(planned.workload.params, key), at_head, "head");
}

void warn_of_unlike(const std::string& what, const std::string& base, const std::string& head,
                    Comparison& row) {
  row.warnings.push_back({"unlike_settings", "unlike settings: " + what + " is " + base +
                                                 " at base, " + head + " at head"});
}

}  // namespace

void add_fairness_warnings(const WorkloadSamples& samples, Comparison& row) {
  const std::set<std::string> keys = set_keys(*samples.planned);
  const Said base = said_by(samples.base), head = said_by(samples.head);
  for (const std::string& key : keys) {
    check_setting(*samples.planned, key, base, head, row);
  }
  for (const std::string& key : keys_of(base.params, head.params)) {
    const auto at_base = find(base.params, key), at_head = find(head.params, key);
    const bool both_speak = !base.params.empty() && !head.params.empty();
    if (both_speak && keys.count(key) == 0 && !same(at_base, at_head)) {
      warn_of_unlike(key, shown(at_base), shown(at_head), row);
    }
  }
  for (const auto& [fact, at_base] : base.facts) {
    const auto at_head = head.facts.find(fact);
    if (at_head == head.facts.end() || at_head->second == at_base) {
      continue;
    }
    const bool wished = std::any_of(keys.begin(), keys.end(), [&fact = fact](const auto& key) {
      return names_fact(key, fact);
    });
    if (!wished) {
      warn_of_unlike(fact, at_base, at_head->second, row);
    } else {
      row.notes.push_back(fact + ": " + at_base + " at base, " + at_head->second + " at head");
    }
  }
}

}  // namespace perf
