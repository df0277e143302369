#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "schema/metric.h"
#include "schema/param.h"
#include "schema/recorded_history.h"
#include "schema/store/connection.h"

namespace perf::store {

/// The commit of a revision that is not on the line.
inline constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();

/// A run to compare or to collect, at the size asked for.
struct RunRow {
  std::string id;
  std::string started_at;
  std::int64_t key = 0;
  std::int64_t environment = 0;  ///< key
  std::string fingerprint;       ///< of it
  std::string host;              ///< random id; empty: not known
  std::string base;              ///< full oid; empty: it has none
  bool base_dirty = false, head_dirty = false;
  bool collected = false;  ///< its purpose
};

/// What several workload rows agree on: their commands and timeouts aside.
struct EntryRow {
  std::string name;
  Params params;
  std::string outside;
};

/// An invocation that ended well and was timed as its commit asks for, at a clean commit; one that
/// is not on the line only where it may be half of an anchored pair.
struct InvocationRow {
  std::int64_t key = 0;
  std::uint32_t run = 0;    ///< index into RecordedRows::runs
  std::uint32_t entry = 0;  ///< index into RecordedRows::entries
  std::uint32_t commit = kNowhere;
  bool is_base = false;
  bool anchored = false;  ///< half of a pair of a collecting run
  bool several = false;   ///< its blocks are series of their own: see BlockCount
  std::int64_t pair = 0, attempt = 0;
  std::optional<std::int64_t> peak_rss, instructions;
};

struct DeclarationRow {
  std::uint32_t name = 0;   ///< index into RecordedRows::block_names
  std::uint32_t facts = 0;  ///< index into RecordedRows::facts
};

struct BlockRow {
  std::int64_t key = 0;
  std::int64_t invocation = 0;  ///< key
  std::int64_t idx = 0;
  const DeclarationRow* declaration = nullptr;  ///< of RecordedRows::declarations
  std::optional<double> median;                 ///< s, of the timed steps
};

struct MetricRow {
  std::int64_t block = 0;    ///< key
  std::uint32_t metric = 0;  ///< index into RecordedRows::metrics
  double value = 0;
};

/// Places in RecordedRows::metrics of what is measured here.
enum BuiltIn : std::uint32_t { step_time, peak_rss, instructions };

/// What a history is made of, as it lies in the tables.
struct RecordedRows {
  std::vector<RunRow> runs;
  std::vector<EntryRow> entries;
  std::vector<Metric> metrics;
  std::vector<std::string> block_names;
  std::vector<std::map<std::string, std::string>> facts;
  std::unordered_map<std::int64_t, DeclarationRow> declarations;  ///< by key
  std::vector<InvocationRow> invocations;                         ///< by key
  std::vector<BlockRow> blocks;   ///< by invocation, then idx; of good ones and others
  std::vector<MetricRow> values;  ///< those that count, by block, then idx
  std::int64_t elsewhere = 0;     ///< measured, clean commits that are not on the line
};

/// Gives equal things one place: the next one to a new one.
template <class Places>
std::uint32_t place_of(Places& places, const typename Places::key_type& key) {
  return places.try_emplace(key, static_cast<std::uint32_t>(places.size())).first->second;
}

/// Whether the query asks for a metric of that name.
bool is_wanted(const HistoryQuery& query, const std::string& metric);

/// Reads each table once, in the order in which it lies in the file: a million invocations take
/// about a second. Metrics that `query` does not name are left out of `values`.
RecordedRows read_recorded(Connection& connection, const HistoryQuery& query);

}  // namespace perf::store
