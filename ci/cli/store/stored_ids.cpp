#include "ci/cli/store/stored_ids.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

#include "reporter/text/quantity.h"
#include "schema/error.h"
#include "schema/revision.h"
#include "schema/text/nearest_name.h"

namespace perf {
namespace {

constexpr std::size_t kNamed = 5;     ///< in an error
constexpr std::size_t kMistakes = 2;  ///< letters by which a mistyped id may differ

/// The ids of one kind, and their description in errors.
struct KnownIds {
  std::string kind;       ///< "run"
  std::string listed_by;  ///< "perf-compare list"
  std::function<std::vector<std::string>(const std::string& beginning)> beginning_with;
  std::function<std::string(const std::string& id)> told;  ///< what the id is of
};

UsageError ambiguous(const KnownIds& known, const std::string& wanted,
                     const std::vector<std::string>& ids) {
  std::string hint = "use more letters of one of them:";
  for (std::size_t i = 0; i < std::min(ids.size(), kNamed); ++i) {
    hint += "\n" + short_oid(ids[i]) + " (" + known.told(ids[i]) + ")";
  }
  if (ids.size() > kNamed) {
    hint += "\n...";
  }
  return {"ambiguous " + known.kind + " id", wanted, hint};
}

/// The id whose beginning is nearest; empty where none is near.
std::string nearest(const KnownIds& known, const std::string& wanted) {
  std::string best;
  std::size_t least = kMistakes + 1;
  for (const std::string& id : known.beginning_with({})) {
    const std::size_t distance = edit_distance(wanted, id.substr(0, wanted.size()), kMistakes);
    if (distance < least) {
      least = distance;
      best = id;
    }
  }
  return least < wanted.size() ? best : std::string();
}

std::optional<std::string> find_id(const KnownIds& known, const std::string& wanted) {
  if (wanted.empty()) {
    return std::nullopt;
  }
  const std::vector<std::string> ids = known.beginning_with(wanted);
  if (std::ranges::find(ids, wanted) != ids.end()) {
    return wanted;
  }
  if (ids.size() > 1) {
    throw ambiguous(known, wanted, ids);
  }
  return ids.empty() ? std::nullopt : std::optional<std::string>(ids.front());
}

std::string require_id(const KnownIds& known, const std::string& wanted) {
  if (const std::optional<std::string> id = find_id(known, wanted)) {
    return *id;
  }
  const std::string near = nearest(known, wanted);
  throw UsageError("no such " + known.kind, wanted,
                   near.empty() ? known.listed_by + " shows them"
                                : "did you mean " + short_oid(near) + "? " + known.listed_by +
                                      " shows them all");
}

KnownIds runs_of(const Store& store) {
  const auto told = [&store](const std::string& id) {
    const ListedRun run = store.listed_run(id);
    return std::string(to_string(run.kind)) + ", " + run.started_at + ", " + run.head.subject;
  };
  return {"run", "perf-compare list",
          [&store](const std::string& beginning) { return store.run_ids(beginning); }, told};
}

KnownIds ids_of(const std::vector<Alert>& alerts) {
  const auto beginning_with = [&alerts](const std::string& beginning) {
    std::vector<std::string> ids;
    for (const Alert& alert : alerts) {
      if (alert.id.starts_with(beginning)) {
        ids.push_back(alert.id);
      }
    }
    return ids;
  };
  const auto told = [&alerts](const std::string& id) {
    return series_and_change(*std::ranges::find(alerts, id, &Alert::id));
  };
  return {"alert", "perf-compare trend", beginning_with, told};
}

}  // namespace

std::optional<std::string> find_run(const Store& store, const std::string& wanted) {
  return find_id(runs_of(store), wanted);
}

std::string require_run(const Store& store, const std::string& wanted) {
  return require_id(runs_of(store), wanted);
}

Alert require_alert(const Store& store, const std::string& wanted) {
  const std::vector<Alert> alerts = store.alerts();
  return *std::ranges::find(alerts, require_id(ids_of(alerts), wanted), &Alert::id);
}

std::string series_and_change(const Alert& alert) {
  return alert.series.workload + " " + alert.series.metric + " " +
         reporter::change_text(alert.change) + " at " + short_oid(alert.oid);
}

}  // namespace perf
