#include "schema/store/recorded_history.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

#include "schema/glob.h"
#include "schema/readings.h"
#include "schema/store/recorded_rows.h"

namespace perf::store {
namespace {

/// A value and where it belongs, before it has a series.
struct Observed {
  std::uint32_t invocation = 0;  ///< index into RecordedRows::invocations
  std::uint32_t name = 0;        ///< of its series: see Names
  std::uint32_t metric = 0;      ///< index into RecordedRows::metrics
  std::uint32_t facts = 0;       ///< index into RecordedRows::facts
  double value = 0;
};

/// Facts of each of RecordedRows::runs that tell series apart.
struct RunPlace {
  std::string fingerprint;
  std::string base;  ///< full oid; empty: it has none
};

/// Numbers for what series are called.
class Names {
 public:
  explicit Names(const RecordedRows& rows) : rows_(rows) {
    for (const EntryRow& entry : rows.entries) {
      of_entries_.push_back({number(entry.name)});
    }
  }

  std::uint32_t of_entry(std::uint32_t entry) const { return of_entries_[entry].front(); }

  /// Of the blocks of an invocation that count; it has at least one.
  const std::vector<std::uint32_t>& of_blocks(const InvocationRow& invocation,
                                              std::span<const BlockRow> blocks) {
    if (!invocation.several) {
      return of_entries_[invocation.entry];
    }
    std::vector<std::uint32_t> key{of_entry(invocation.entry)};
    for (const BlockRow& block : blocks) {
      key.push_back(block.declaration->name);
    }
    const auto [found, is_new] = of_blocks_.try_emplace(std::move(key));
    if (is_new) {
      std::vector<std::string> own;
      for (const BlockRow& block : blocks) {
        own.push_back(rows_.block_names[block.declaration->name]);
      }
      for (const std::string& name : block_names(rows_.entries[invocation.entry].name, own, true)) {
        found->second.push_back(number(name));
      }
    }
    return found->second;
  }

  const std::string& operator[](std::uint32_t name) const { return names_[name]; }

 private:
  std::uint32_t number(const std::string& name) {
    const auto [found, is_new] = numbers_.emplace(name, static_cast<std::uint32_t>(names_.size()));
    if (is_new) {
      names_.push_back(name);
    }
    return found->second;
  }

  const RecordedRows& rows_;
  std::vector<std::string> names_{};
  std::map<std::string, std::uint32_t> numbers_{};
  std::vector<std::vector<std::uint32_t>> of_entries_{};
  std::map<std::vector<std::uint32_t>, std::vector<std::uint32_t>> of_blocks_{};
};

/// All series of the rows, in no order that means anything, but their values by commit and then in
/// the order of measuring. In the values `run` and `declaration` are indices into
/// RecordedRows::runs and ::facts.
class SeriesRecorder {
 public:
  SeriesRecorder(const RecordedRows& rows, const std::vector<RunPlace>& runs,
                 const HistoryQuery& query)
      : rows_(rows), runs_(runs), query_(query), names_(rows) {}

  std::vector<RecordedSeries> record() {
    auto block = rows_.blocks.begin();
    value_ = rows_.values.begin();
    for (std::uint32_t i = 0; i < rows_.invocations.size(); ++i) {
      const std::int64_t key = rows_.invocations[i].key;
      while (block != rows_.blocks.end() && block->invocation < key) {
        ++block;  // of invocations that do not count
      }
      auto end = block;
      while (end != rows_.blocks.end() && end->invocation == key) {
        ++end;
      }
      observe_invocation(i, {block, end});
      block = end;
    }
    pair_with_anchors();
    return finished();
  }

 private:
  using MetricIterator = std::vector<MetricRow>::const_iterator;

  void observe_invocation(std::uint32_t at, std::span<const BlockRow> blocks) {
    const InvocationRow& invocation = rows_.invocations[at];
    Observed seen;
    seen.invocation = at;
    seen.name = names_.of_entry(invocation.entry);
    if (!blocks.empty()) {
      seen.facts = blocks.front().declaration->facts;
    }
    observe(seen, instructions, invocation.instructions);
    observe(seen, peak_rss, invocation.peak_rss);
    if (blocks.empty()) {
      return;
    }
    std::size_t place = 0;
    for (const std::uint32_t name : names_.of_blocks(invocation, blocks)) {
      const BlockRow& block = blocks[place++];
      seen.name = name;
      seen.facts = block.declaration->facts;
      observe(seen, step_time, block.median);
      for (auto value = values_of(block.key);
           value != rows_.values.end() && value->block == block.key; ++value) {
        observe(seen, value->metric, std::optional(value->value));
      }
    }
  }

  /// Both lie in the order of blocks, so that it is mostly the next one.
  MetricIterator values_of(std::int64_t block) {
    while (value_ != rows_.values.end() && value_->block < block) {
      ++value_;
    }
    if (value_ == rows_.values.end() || value_->block > block) {
      value_ =
          std::lower_bound(rows_.values.begin(), rows_.values.end(), block,
                           [](const MetricRow& row, std::int64_t key) { return row.block < key; });
    }
    return value_;
  }

  template <class Number>
  void observe(Observed seen, std::uint32_t metric, const std::optional<Number>& value) {
    if (!value || !std::isfinite(static_cast<double>(*value)) ||
        (metric <= instructions && !is_wanted(query_, rows_.metrics[metric].name))) {
      return;
    }
    seen.metric = metric;
    seen.value = static_cast<double>(*value);
    const InvocationRow& invocation = rows_.invocations[seen.invocation];
    if (invocation.commit != kNowhere) {
      const RunPlace& run = runs_[invocation.run];
      add(seen, {run.fingerprint, {}}, seen.value);
    }
    if (invocation.anchored) {
      halves_.push_back(seen);
    }
  }

  using Place = std::pair<std::string, std::string>;  // fingerprint, anchor

  void add(const Observed& seen, const Place& place, double value) {
    if (place != last_place_.first) {
      const auto number = static_cast<std::uint32_t>(places_.size());
      last_place_ = {place, places_.emplace(place, number).first->second};
    }
    const InvocationRow& invocation = rows_.invocations[seen.invocation];
    const auto [found, is_new] = known_.emplace(
        Key{last_place_.second, invocation.entry, seen.name, seen.metric}, series_.size());
    if (is_new) {
      RecordedSeries& series = series_.emplace_back();
      series.workload = rows_.entries[invocation.entry].name;
      series.params = rows_.entries[invocation.entry].params;
      series.name = names_[seen.name];
      series.metric = rows_.metrics[seen.metric];
      series.fingerprint = place.first;
      series.anchor = place.second;
    }
    // The invocation stands in for its run until the values are in order.
    series_[found->second].values.push_back(
        {invocation.commit, seen.invocation, seen.facts, value});
  }

  /// Good pairs only: both sides are there, in the same attempt.
  void pair_with_anchors() {
    const auto half_of = [this](const Observed& seen) {
      const InvocationRow& i = rows_.invocations[seen.invocation];
      return std::tuple(i.run, i.entry, i.pair, i.attempt, seen.name, seen.metric);
    };
    const auto is_base = [this](const Observed& seen) {
      return rows_.invocations[seen.invocation].is_base;
    };
    std::stable_sort(halves_.begin(), halves_.end(), [&](const Observed& a, const Observed& b) {
      const auto first = half_of(a), second = half_of(b);
      return first != second ? first < second : is_base(a) && !is_base(b);
    });
    for (std::size_t i = 1; i < halves_.size(); ++i) {
      const Observed& base = halves_[i - 1];
      const Observed& head = halves_[i];
      const InvocationRow& at_head = rows_.invocations[head.invocation];
      if (half_of(base) != half_of(head) || !is_base(base) || is_base(head) ||
          at_head.commit == kNowhere || base.value == 0 ||
          !std::isfinite(head.value / base.value)) {
        continue;
      }
      add(head, {{}, runs_[at_head.run].base}, head.value / base.value);
    }
  }

  std::vector<RecordedSeries> finished() {
    for (RecordedSeries& series : series_) {
      std::stable_sort(series.values.begin(), series.values.end(),
                       [](const RecordedValue& a, const RecordedValue& b) {
                         return a.commit != b.commit ? a.commit < b.commit : a.run < b.run;
                       });
      for (RecordedValue& value : series.values) {
        value.run = rows_.invocations[value.run].run;
      }
    }
    return std::move(series_);
  }

  using Key = std::array<std::uint32_t, 4>;  // place, entry, name, metric

  const RecordedRows& rows_;
  const std::vector<RunPlace>& runs_;
  const HistoryQuery& query_;
  Names names_;
  MetricIterator value_;
  std::vector<Observed> halves_;
  std::map<Place, std::uint32_t> places_;
  std::pair<Place, std::uint32_t> last_place_{{"?", "?"}, 0};
  std::map<Key, std::size_t> known_;
  std::vector<RecordedSeries> series_;
};

bool has_wanted_name(const HistoryQuery& query, const RecordedSeries& series) {
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
    return std::tie(s.workload, s.params, s.name, s.metric.name, s.metric.unit, s.metric.better,
                    s.fingerprint, s.anchor);
  };
  return order(a) < order(b);
}

}  // namespace

RecordedHistory load_recorded(Connection& connection, const HistoryQuery& query) {
  RecordedRows rows = read_recorded(connection, query);
  const std::vector<RunPlace> places = places_of(connection, rows.runs);
  RecordedHistory history;
  history.elsewhere = rows.elsewhere;
  for (RecordedSeries& series : SeriesRecorder(rows, places, query).record()) {
    if (has_wanted_name(query, series)) {
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
