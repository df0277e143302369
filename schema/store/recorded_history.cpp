#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

#include "schema/readings.h"
#include "schema/store/internal.h"
#include "schema/text/glob.h"

namespace perf::store {
namespace {

/// A value and where it belongs, before it has a series.
struct Observed {
  std::uint32_t invocation = 0;  ///< index into RecordedRows::invocations
  std::uint32_t name = 0;        ///< of its series: see Names
  std::uint32_t metric = 0;      ///< index into RecordedRows::metrics
  std::uint32_t facts = 0;       ///< index into RecordedRows::facts
  double value = 0;
  bool judge = false;
  float tail = 0;
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

  /// A name with the parameters that tell series of that name apart.
  std::uint32_t with(std::uint32_t name, std::uint32_t own_params) {
    return own_params == 0 ? name : number(names_[name].first, own_params);
  }

  const std::string& text(std::uint32_t name) const { return names_[name].first; }
  const Params& params(std::uint32_t name) const { return rows_.own_params[names_[name].second]; }

 private:
  using Name = std::pair<std::string, std::uint32_t>;  // index into RecordedRows::own_params

  std::uint32_t number(const std::string& text, std::uint32_t own_params = 0) {
    const Name name{text, own_params};
    return place_in(names_, numbers_, name, [&] { return name; });
  }

  const RecordedRows& rows_;
  std::vector<Name> names_{};
  std::map<Name, std::uint32_t> numbers_{};
  std::vector<std::vector<std::uint32_t>> of_entries_{};
  std::map<std::vector<std::uint32_t>, std::vector<std::uint32_t>> of_blocks_{};
};

/// Those of one key, of rows that are sorted by it.
template <class Row, class Key>
std::span<const Row> rows_of(const std::vector<Row>& rows, Key Row::*column, Key key) {
  const auto begin = std::ranges::lower_bound(rows, key, {}, column);
  return {begin, std::ranges::upper_bound(begin, rows.end(), key, {}, column)};
}

/// All series of the rows, in no order that means anything, but their values by commit and then in
/// the order of measuring. In the values `run` and `declaration` are indices into
/// RecordedRows::runs and ::facts.
class SeriesRecorder {
 public:
  SeriesRecorder(const RecordedRows& rows, const HistoryQuery& query)
      : rows_(rows), query_(query), names_(rows) {
    std::map<std::pair<std::string, std::string>, std::uint32_t> places;  // fingerprint, anchor
    for (const RunRow& run : rows.runs) {
      machines_.push_back(place_of(places, {run.fingerprint, {}}));
      anchors_.push_back(place_of(places, {{}, run.base}));
    }
  }

  std::vector<RecordedSeries> record() {
    for (std::uint32_t i = 0; i < rows_.invocations.size(); ++i) {
      observe_invocation(i, rows_of(rows_.blocks, &BlockRow::invocation, rows_.invocations[i].key));
    }
    pair_with_anchors();
    return finished();
  }

 private:
  void observe_invocation(std::uint32_t at, std::span<const BlockRow> blocks) {
    const InvocationRow& invocation = rows_.invocations[at];
    Observed seen;
    seen.invocation = at;
    seen.name = names_.of_entry(invocation.entry);
    if (!blocks.empty()) {
      seen.facts = blocks.front().declaration->facts;
    }
    observe(seen, kInstructionsPlace, invocation.instructions);
    observe(seen, kPeakRssPlace, invocation.peak_rss);
    if (blocks.empty()) {
      return;
    }
    std::size_t place = 0;
    for (const std::uint32_t plain : names_.of_blocks(invocation, blocks)) {
      const BlockRow& block = blocks[place++];
      const std::uint32_t name = names_.with(plain, block.declaration->own);
      seen.judge = false;
      seen.name = name;
      seen.facts = block.declaration->facts;
      seen.tail = value_or_empty(rows_.tails, block.key);
      observe(seen, kStepTimePlace, block.median);
      seen.tail = 0;
      for (const MetricRow& row : rows_of(rows_.values, &MetricRow::block, block.key)) {
        seen.name =
            is_of_invocation(rows_.metrics[row.metric]) ? names_.of_entry(invocation.entry) : name;
        seen.judge = row.judge;
        observe(seen, row.metric, std::optional(row.value));
      }
    }
  }

  template <class Number>
  void observe(Observed seen, std::uint32_t metric, const std::optional<Number>& value) {
    if (!value || !std::isfinite(static_cast<double>(*value)) ||
        (metric <= kInstructionsPlace && !is_wanted(query_, rows_.metrics[metric].name))) {
      return;
    }
    seen.metric = metric;
    seen.value = static_cast<double>(*value);
    const InvocationRow& invocation = rows_.invocations[seen.invocation];
    if (invocation.commit != kNowhere) {
      add(seen, false, seen.value, seen.tail);
    }
    if (invocation.anchored) {
      halves_.push_back(seen);
    }
  }

  void add(const Observed& seen, bool anchored, double value, float tail = 0) {
    const InvocationRow& invocation = rows_.invocations[seen.invocation];
    const std::uint32_t place = (anchored ? anchors_ : machines_)[invocation.run];
    const auto [found, is_new] =
        known_.try_emplace(Key{place, invocation.entry, seen.name, seen.metric}, series_.size());
    if (is_new) {
      RecordedSeries& series = series_.emplace_back();
      series.workload = rows_.entries[invocation.entry].name;
      series.params = rows_.entries[invocation.entry].params;
      series.outside = rows_.entries[invocation.entry].outside;
      series.params.insert(names_.params(seen.name).begin(), names_.params(seen.name).end());
      series.name = names_.text(seen.name);
      series.metric = rows_.metrics[seen.metric];
      const RunRow& run = rows_.runs[invocation.run];
      (anchored ? series.anchor : series.fingerprint) = anchored ? run.base : run.fingerprint;
    }
    series_[found->second].judge |= seen.judge;
    // The invocation stands in for its run until the values are in order.
    series_[found->second].values.push_back(
        {invocation.commit, seen.invocation, seen.facts, tail, value});
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
    std::ranges::stable_sort(halves_, {}, [&](const Observed& seen) {
      return std::pair(half_of(seen), !is_base(seen));
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
      add(head, true, head.value / base.value);
    }
  }

  std::vector<RecordedSeries> finished() {
    for (RecordedSeries& series : series_) {
      std::ranges::stable_sort(series.values, {}, [](const RecordedValue& value) {
        return std::pair(value.commit, value.run);
      });
      for (RecordedValue& value : series.values) {
        value.run = rows_.invocations[value.run].run;
      }
    }
    return std::move(series_);
  }

  using Key = std::array<std::uint32_t, 4>;  // place, entry, name, metric

  const RecordedRows& rows_;
  const HistoryQuery& query_;
  Names names_;
  std::vector<std::uint32_t> machines_{}, anchors_{};  // of each run, numbered
  std::vector<Observed> halves_{};
  std::map<Key, std::size_t> known_{};
  std::vector<RecordedSeries> series_{};
};

/// Fills the result's own lists with what its values refer to, and nothing else.
void number_values(Connection& connection, const RecordedRows& rows, RecordedHistory& history) {
  std::unordered_map<std::uint32_t, std::uint32_t> runs, facts;
  std::map<std::int64_t, std::uint32_t> environments;
  const auto number = [&](RecordedValue& value) {
    const RunRow& run = rows.runs[value.run];
    const auto& said = rows.facts[value.declaration];
    value.run = place_of(runs, value.run);
    if (value.run == history.runs.size()) {
      const std::uint32_t environment = place_of(environments, run.environment);
      if (environment == history.environments.size()) {
        const auto machine = connection.facts(
            "SELECT name, value FROM environment_fact WHERE environment = ?1", run.environment);
        history.environments.push_back({run.fingerprint, machine, {}});
      }
      history.runs.push_back(
          {run.id, run.started_at, environment,
           connection.facts("SELECT name, value FROM run_fact WHERE run = ?1", run.key), run.host});
    }
    value.declaration = place_of(facts, value.declaration);
    if (value.declaration == history.declarations.size()) {
      history.declarations.push_back(said);
    }
  };
  for (RecordedSeries& series : history.series) {
    std::for_each(series.values.begin(), series.values.end(), number);
  }
}

}  // namespace

RecordedHistory load_recorded(Connection& connection, const HistoryQuery& query) {
  const RecordedRows rows = read_recorded(connection, query);
  RecordedHistory history;
  history.elsewhere = rows.elsewhere;
  for (RecordedSeries& series : SeriesRecorder(rows, query).record()) {
    if (perf::is_wanted(query, series)) {
      history.series.push_back(std::move(series));
    }
  }
  std::sort(history.series.begin(), history.series.end(), comes_before);
  number_values(connection, rows, history);
  return history;
}

}  // namespace perf::store

namespace perf {

bool is_wanted(const HistoryQuery& query, const RecordedSeries& series) {
  const bool has_name =
      is_chosen(query.workloads, series.workload) || is_chosen(query.workloads, series.name);
  return has_name && store::is_wanted(query, series.metric.name);
}

bool comes_before(const RecordedSeries& a, const RecordedSeries& b) {
  const auto order = [](const RecordedSeries& s) {
    return std::tie(s.workload, s.params, s.name, s.metric.name, s.metric.unit, s.metric.better,
                    s.fingerprint, s.anchor, s.outside);
  };
  return order(a) < order(b);
}

RecordedHistory Store::load_recorded(const HistoryQuery& query) const {
  const store::ReadTransaction transaction(*connection_);
  return store::load_recorded(*connection_, query);
}

}  // namespace perf
