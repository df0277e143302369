#include "schema/store/recorded_series.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "schema/store/block_names.h"

namespace perf::store {
namespace {

/// A value and where it belongs, before it has a series.
struct Observed {
  std::uint32_t invocation = 0;  ///< index into RecordedRows::invocations
  std::uint32_t name = 0;        ///< index into RecordedRows::block_names
  std::uint32_t twin = 0;
  std::uint32_t metric = 0;  ///< index into RecordedRows::metrics
  std::uint32_t facts = 0;   ///< index into RecordedRows::facts
  double value = 0;
};

/// Numbers for metrics of one name, which may differ in unit or direction.
std::vector<std::uint32_t> numbered_names(const std::vector<Metric>& metrics) {
  std::map<std::string, std::uint32_t> numbers;
  std::vector<std::uint32_t> found;
  found.reserve(metrics.size());
  for (const Metric& metric : metrics) {
    found.push_back(
        numbers.emplace(metric.name, static_cast<std::uint32_t>(numbers.size())).first->second);
  }
  return found;
}

class SeriesRecorder {
 public:
  SeriesRecorder(const RecordedRows& rows, const std::vector<RunPlace>& runs,
                 const HistoryQuery& query)
      : rows_(rows), runs_(runs), names_(numbered_names(rows.metrics)), blocks_(rows) {
    for (const Metric& metric : rows.metrics) {
      wanted_.push_back(query.metrics.empty() ||
                        std::find(query.metrics.begin(), query.metrics.end(), metric.name) !=
                            query.metrics.end());
    }
  }

  std::vector<RecordedSeries> record() {
    auto block = rows_.blocks.begin();
    reported_ = rows_.reported.begin();
    for (std::uint32_t i = 0; i < rows_.invocations.size(); ++i) {
      const std::int64_t key = rows_.invocations[i].key;
      while (block != rows_.blocks.end() && block->invocation < key) {
        ++block;  // of invocations that do not count
      }
      auto end = block;
      while (end != rows_.blocks.end() && end->invocation == key) {
        ++end;
      }
      observe_invocation(i, block, end);
      block = end;
    }
    pair_with_anchors();
    return finished();
  }

 private:
  using BlockIterator = std::vector<BlockRow>::const_iterator;
  using MetricIterator = std::vector<MetricRow>::const_iterator;

  void observe_invocation(std::uint32_t at, BlockIterator begin, BlockIterator end) {
    const InvocationRow& invocation = rows_.invocations[at];
    Observed seen;
    seen.invocation = at;
    if (begin != end) {
      seen.facts = begin->declaration->facts;
    }
    observe_process(seen, instructions, invocation.instructions);
    observe_process(seen, peak_rss, invocation.peak_rss);
    const bool several = end - begin > 1;
    if (several) {
      twins_.clear();
    }
    for (; begin != end; ++begin) {
      seen.name = begin->declaration->name;
      seen.facts = begin->declaration->facts;
      seen.twin = several ? twins_[seen.name]++ : 0;
      blocks_.add(invocation.entry, seen.name, seen.twin, several);
      observe_block(seen, *begin, several);
    }
  }

  void observe_process(Observed seen, BuiltIn metric, std::optional<std::int64_t> value) {
    if (value) {
      seen.metric = metric;
      seen.value = static_cast<double>(*value);
      observe(seen);
    }
  }

  void observe_block(Observed seen, const BlockRow& block, bool several) {
    taken_.clear();
    const InvocationRow& invocation = rows_.invocations[seen.invocation];
    if (!several && invocation.peak_rss) {
      taken_.push_back(names_[peak_rss]);
    }
    if (!several && invocation.instructions) {
      taken_.push_back(names_[instructions]);
    }
    if (block.median) {
      taken_.push_back(names_[step_time]);
      seen.metric = step_time;
      seen.value = *block.median;
      observe(seen);
    }
    for (auto value = reported_by(block.key);
         value != rows_.reported.end() && value->block == block.key; ++value) {
      if (is_first_of_name(value->metric)) {
        seen.metric = value->metric;
        seen.value = value->value;
        observe(seen);
      }
    }
    const std::optional<double> tokens = block.declaration->tokens_per_step;
    if (block.median && tokens && is_first_of_name(tokens_per_second)) {
      seen.metric = tokens_per_second;
      seen.value = *tokens / *block.median;
      observe(seen);
    }
  }

  /// Both lie in the order of blocks, so that it is mostly the next one.
  MetricIterator reported_by(std::int64_t block) {
    while (reported_ != rows_.reported.end() && reported_->block < block) {
      ++reported_;
    }
    if (reported_ == rows_.reported.end() || reported_->block > block) {
      reported_ =
          std::lower_bound(rows_.reported.begin(), rows_.reported.end(), block,
                           [](const MetricRow& row, std::int64_t key) { return row.block < key; });
    }
    return reported_;
  }

  bool is_first_of_name(std::uint32_t metric) {
    const bool first = std::find(taken_.begin(), taken_.end(), names_[metric]) == taken_.end();
    taken_.push_back(names_[metric]);
    return first;
  }

  void observe(const Observed& seen) {
    if (!wanted_[seen.metric] || !std::isfinite(seen.value)) {
      return;
    }
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
    const auto [found, is_new] =
        known_.emplace(Key{last_place_.second, invocation.entry, seen.name, seen.twin, seen.metric},
                       series_.size());
    if (is_new) {
      RecordedSeries& series = series_.emplace_back();
      series.workload = rows_.entries[invocation.entry].name;
      series.params = rows_.entries[invocation.entry].params;
      series.block = rows_.block_names[seen.name];
      series.twin = static_cast<int>(seen.twin);
      series.metric = rows_.metrics[seen.metric];
      series.fingerprint = place.first;
      series.anchor = place.second;
      entries_.push_back(invocation.entry);
    }
    // The invocation stands in for its run until the values are in order.
    series_[found->second].values.push_back(
        {invocation.commit, seen.invocation, seen.facts, value});
  }

  /// Good pairs only: both sides are there, in the same attempt.
  void pair_with_anchors() {
    const auto half_of = [this](const Observed& seen) {
      const InvocationRow& i = rows_.invocations[seen.invocation];
      return std::tuple(i.run, i.entry, i.pair, i.attempt, seen.name, seen.twin, seen.metric);
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
    const BlockNames::Names names = blocks_.names();
    for (std::size_t i = 0; i < series_.size(); ++i) {
      RecordedSeries& series = series_[i];
      series.several = blocks_.several(entries_[i]);
      series.name = BlockNames::name_of(series, names);
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

  using Key = std::array<std::uint32_t, 5>;  // place, entry, block name, twin, metric

  const RecordedRows& rows_;
  const std::vector<RunPlace>& runs_;
  const std::vector<std::uint32_t> names_;  ///< of rows_.metrics, numbered
  std::vector<bool> wanted_;                ///< of rows_.metrics
  BlockNames blocks_;
  MetricIterator reported_;
  std::map<std::uint32_t, std::uint32_t> twins_;  ///< so many of a name in this invocation
  std::vector<std::uint32_t> taken_;              ///< names of metrics that this block has
  std::vector<Observed> halves_;
  std::map<Place, std::uint32_t> places_;
  std::pair<Place, std::uint32_t> last_place_{{"?", "?"}, 0};
  std::map<Key, std::size_t> known_;
  std::vector<RecordedSeries> series_;
  std::vector<std::uint32_t> entries_;  ///< of series_
};

}  // namespace

std::vector<RecordedSeries> recorded_series(const RecordedRows& rows,
                                            const std::vector<RunPlace>& runs,
                                            const HistoryQuery& query) {
  return SeriesRecorder(rows, runs, query).record();
}

}  // namespace perf::store
