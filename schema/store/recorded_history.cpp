#include "schema/store/recorded_history.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "schema/glob.h"
#include "schema/store/recorded_rows.h"
#include "schema/store/recorded_series.h"

namespace perf::store {
namespace {

bool is_wanted(const HistoryQuery& query, const RecordedSeries& series) {
  return query.workloads.empty() ||
         std::any_of(query.workloads.begin(), query.workloads.end(), [&](const std::string& glob) {
           return glob_match(glob, series.workload) || glob_match(glob, series.name);
         });
}

std::vector<RunPlace> places_of(Connection& connection, const std::vector<RunRow>& runs) {
  std::map<std::int64_t, std::string> fingerprints, oids;
  const auto text = [&connection](std::map<std::int64_t, std::string>& known,
                                  std::string_view query, std::int64_t key) -> std::string& {
    const auto [found, is_new] = known.try_emplace(key);
    if (is_new) {
      found->second = connection.value<std::string>(query, key).value_or("");
    }
    return found->second;
  };
  std::vector<RunPlace> places;
  for (const RunRow& run : runs) {
    RunPlace& place = places.emplace_back();
    place.fingerprint =
        text(fingerprints, "SELECT fingerprint FROM environment WHERE key = ?1", run.environment);
    if (run.base) {
      place.base = text(oids, "SELECT oid FROM revision WHERE key = ?1", *run.base);
    }
  }
  return places;
}

/// Fills the result's own lists with what its values refer to, and nothing else.
class Numbering {
 public:
  Numbering(Connection& connection, RecordedRows& rows, const std::vector<RunPlace>& places,
            RecordedHistory& history)
      : connection_(connection),
        rows_(rows),
        places_(places),
        history_(history),
        runs_(rows.runs.size(), kNowhere),
        facts_(rows.facts.size(), kNowhere) {}

  void number(RecordedValue& value) {
    if (runs_[value.run] == kNowhere) {
      add_run(value.run);
    }
    value.run = runs_[value.run];
    if (facts_[value.declaration] == kNowhere) {
      facts_[value.declaration] = static_cast<std::uint32_t>(history_.declarations.size());
      history_.declarations.push_back(rows_.facts[value.declaration]);
    }
    value.declaration = facts_[value.declaration];
  }

 private:
  void add_run(std::uint32_t place) {
    const RunRow& row = rows_.runs[place];
    runs_[place] = static_cast<std::uint32_t>(history_.runs.size());
    const auto [environment, is_new] = environments_.emplace(
        row.environment, static_cast<std::uint32_t>(history_.environments.size()));
    if (is_new) {
      Environment& added = history_.environments.emplace_back();
      added.fingerprint = places_[place].fingerprint;
      added.machine = connection_.facts(
          "SELECT name, value FROM environment_fact WHERE environment = ?1", row.environment);
    }
    RecordedRun& run = history_.runs.emplace_back();
    run.id = row.id;
    run.started_at = row.started_at;
    run.environment = environment->second;
    run.facts = connection_.facts("SELECT name, value FROM run_fact WHERE run = ?1", row.key);
  }

  Connection& connection_;
  RecordedRows& rows_;
  const std::vector<RunPlace>& places_;
  RecordedHistory& history_;
  std::vector<std::uint32_t> runs_, facts_;  ///< what became of them; kNowhere: nothing yet
  std::map<std::int64_t, std::uint32_t> environments_;
};

bool comes_before(const RecordedSeries& a, const RecordedSeries& b) {
  const auto order = [](const RecordedSeries& s) {
    return std::tie(s.workload, s.params, s.block, s.twin, s.metric.name, s.metric.unit,
                    s.metric.better, s.fingerprint, s.anchor);
  };
  return order(a) < order(b);
}

}  // namespace

RecordedHistory load_recorded(Connection& connection, const HistoryQuery& query) {
  RecordedRows rows = read_recorded(connection, query);
  const std::vector<RunPlace> places = places_of(connection, rows.runs);
  RecordedHistory history;
  history.elsewhere = rows.elsewhere;
  for (RecordedSeries& series : recorded_series(rows, places, query)) {
    if (is_wanted(query, series)) {
      history.series.push_back(std::move(series));
    }
  }
  std::sort(history.series.begin(), history.series.end(), comes_before);
  Numbering numbering(connection, rows, places, history);
  for (RecordedSeries& series : history.series) {
    for (RecordedValue& value : series.values) {
      numbering.number(value);
    }
  }
  return history;
}

}  // namespace perf::store
