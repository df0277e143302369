#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "analyzer/samples/samples.h"
#include "analyzer/warnings/row_warnings.h"

namespace perf {
namespace {

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

void note_once(const Unlike& what, Comparison& row) {
  const Warning note{WarningKind::sides_differ, {}, what.about()};
  if (std::ranges::find(row.notes, note) == row.notes.end()) {
    row.notes.push_back(note);
  }
}

void check_setting(const PlannedWorkload& planned, const std::string& key, const Stated& base,
                   const Stated& head, Comparison& row) {
  const auto at_base = find(base.params, key), at_head = find(head.params, key);
  if (at_base && at_head && same(at_base, at_head)) {
    row.warnings.push_back(
        {WarningKind::setting_not_taken, {}, {{"name", key}, {"value", shown(at_head)}}});
    return;
  }
  if (!at_base && !at_head && !base.params.empty() && !head.params.empty()) {
    row.warnings.push_back({WarningKind::setting_not_taken, {}, {{"name", key}}});
    return;
  }
  const auto note = [&row, &key](const std::optional<Param>& wanted,
                                 const std::optional<Param>& taken, const std::string& side) {
    if (wanted && taken && !same(wanted, taken)) {
      row.notes.push_back(
          {WarningKind::setting_replaced,
           {},
           {{"name", key}, {"side", side}, {"wanted", shown(wanted)}, {"taken", shown(taken)}}});
    }
  };
  note(find(*planned.base_params, key), at_base, "base");
  note(find(planned.workload.params, key), at_head, "head");
  if (at_base || at_head) {
    note_once({key, shown(at_base), shown(at_head)}, row);
  }
}

// What was set apart may bring other differences with it: those are only noted.
void add_unlike(const Unlike& what, bool is_explained, Comparison& row) {
  if (is_explained) {
    note_once(what, row);
  } else {
    row.warnings.push_back({WarningKind::unlike_settings, {}, what.about()});
  }
}

}  // namespace

void add_fairness_warnings(const WorkloadSamples& samples, Comparison& row) {
  const std::set<std::string> keys = keys_set_apart(*samples.planned);
  const Stated base = stated_by(samples.base), head = stated_by(samples.head);
  for (const std::string& key : keys) {
    check_setting(*samples.planned, key, base, head, row);
  }
  const auto is_explained = [&keys](const std::string& what) {
    return std::ranges::any_of(keys,
                               [&what](const std::string& key) { return accounts_for(key, what); });
  };
  const bool both_stated = !base.params.empty() && !head.params.empty();
  for (const std::string& key : keys_of(base.params, head.params)) {
    const auto at_base = find(base.params, key), at_head = find(head.params, key);
    if (both_stated && !keys.contains(key) && !same(at_base, at_head)) {
      add_unlike({key, shown(at_base), shown(at_head)},
                 names_program_or_means(key) && is_explained(key), row);
    }
  }
  for (const Unlike& fact : unlike(base.facts, head.facts)) {
    add_unlike(fact, is_explained(fact.name), row);
  }
  if (const std::optional<Unlike> tokens = unlike_tokens(samples)) {
    add_unlike(*tokens, false, row);
  }
}

}  // namespace perf
