#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "schema/error.h"
#include "schema/readings.h"
#include "schema/store/internal.h"
#include "schema/workload_name.h"

namespace perf::store {
namespace {

using Keys = std::unordered_map<std::int64_t, std::uint32_t>;

/// B: of a larger store the rest is read page by page.
constexpr std::int64_t kReadThrough = std::int64_t{4} << 30U;

/// What a row refers to; every reference of a store of ours leads somewhere.
template <class Map>
const typename Map::mapped_type& referred(const Map& rows, std::int64_t key,
                                          const Connection& connection) {
  const auto found = rows.find(key);
  if (found == rows.end()) {
    throw Error("the store has a row with a dangling reference", connection.file(), kNotOurs);
  }
  return found->second;
}

Keys commits_of_revisions(Connection& connection, const std::vector<std::string>& oids) {
  std::unordered_map<std::string, std::uint32_t> line;
  for (std::size_t i = 0; i < oids.size(); ++i) {
    line.emplace(oids[i], static_cast<std::uint32_t>(i));
  }
  Keys commits;
  Statement rows = connection.query("SELECT key, oid FROM revision");
  std::int64_t key = 0;
  for (std::string oid; rows.next();) {
    rows.read(key, oid);
    if (const auto found = line.find(oid); found != line.end()) {
      commits.emplace(key, found->second);
    }
  }
  return commits;
}

Keys read_runs(Connection& connection, const std::string& size, std::vector<RunRow>& runs) {
  Keys places;
  Statement rows = connection.query(
      "SELECT run.key, run.id, run.started_at, run.environment, ifnull(e.fingerprint, ''), "
      "run.host, "
      "ifnull(b.oid, ''), ifnull(run.base_dirty, 0), run.head_dirty, run.purpose = 'collect' "
      "FROM run LEFT JOIN environment AS e ON e.key = run.environment "
      "LEFT JOIN revision AS b ON b.key = run.base "
      "WHERE run.size = ?1 AND run.purpose IN ('compare', 'collect') ORDER BY run.key",
      size);
  while (rows.next()) {
    RunRow& run = runs.emplace_back();
    rows.read(run.key, run.id, run.started_at, run.environment, run.fingerprint, run.host, run.base,
              run.base_dirty, run.head_dirty, run.collected);
    places.emplace(run.key, static_cast<std::uint32_t>(runs.size() - 1));
  }
  return places;
}

Keys read_entries(Connection& connection, std::vector<EntryRow>& entries) {
  Keys places;
  std::map<std::array<std::string, 3>, std::uint32_t> known;
  Statement rows = connection.query("SELECT key, name, params, outside FROM workload");
  std::int64_t key = 0;
  for (std::string name, params, outside; rows.next();) {
    rows.read(key, name, params, outside);
    const auto entry = [&] { return EntryRow{name, value_of<Params>(params), outside}; };
    places.emplace(key, place_in(entries, known, {name, params, outside}, entry));
  }
  return places;
}

/// Runs, and workloads of theirs that are control arms.
std::set<std::pair<std::int64_t, std::int64_t>> control_arms(Connection& connection) {
  const auto arms = connection.records<std::pair<std::int64_t, std::int64_t>>(
      "SELECT run, workload FROM run_workload WHERE control_of <> ''",
      [](Statement& row, auto& arm) { row.read(arm.first, arm.second); });
  return {arms.begin(), arms.end()};
}

/// Which workloads of which runs have blocks that are series of their own.
class SeveralBlocks {
 public:
  explicit SeveralBlocks(const RecordedRows& rows) : rows_(rows) {
    for (const BlockRow& block : rows.blocks) {
      if (block.idx > 0) {
        with_several_.insert(block.invocation);
      }
    }
  }

  /// The next in the order of keys.
  void add(const InvocationRow& row, bool paired) {
    if (!with_several_.empty()) {
      counts_[place_of(row)].add(row.is_base ? Side::base : Side::head, paired,
                                 static_cast<int>(row.pair), static_cast<int>(row.attempt),
                                 with_several_.count(row.key) > 0);
    }
  }

  bool of(const InvocationRow& row) const {
    const auto found = counts_.find(place_of(row));
    return found != counts_.end() && found->second.several();
  }

 private:
  std::pair<std::uint32_t, std::string_view> place_of(const InvocationRow& row) const {
    return {row.run, rows_.entries[row.entry].name};  // two settings are one workload
  }

  const RecordedRows& rows_;
  std::unordered_set<std::int64_t> with_several_;
  std::map<std::pair<std::uint32_t, std::string_view>, BlockCount> counts_;
};

void read_invocations(Connection& connection, const HistoryQuery& query, RecordedRows& found) {
  const Keys commits = commits_of_revisions(connection, query.oids);
  const Keys runs = read_runs(connection, query.size, found.runs);
  const Keys entries = read_entries(connection, found.entries);
  const auto arms = control_arms(connection);
  SeveralBlocks several(found);
  std::set<std::int64_t> elsewhere;
  Statement rows = connection.query(
      "SELECT key, run, workload, side = 'base', revision, paired, pair, attempt, peak_rss, "
      "instructions FROM invocation WHERE failure = '' AND counted = 0 AND traced = 0 "
      "AND layout_seed = 0 ORDER BY key");
  InvocationRow row;
  std::int64_t run_key = 0, workload = 0, revision = 0;
  for (bool paired = false; rows.next();) {
    rows.read(row.key, run_key, workload, row.is_base, revision, paired, row.pair, row.attempt,
              row.peak_rss, row.instructions);
    const auto run = runs.find(run_key);
    if (run == runs.end() || (!arms.empty() && arms.count({run_key, workload}) > 0)) {
      continue;
    }
    row.run = run->second;
    row.entry = referred(entries, workload, connection);
    several.add(row, paired);
    const RunRow& of = found.runs[row.run];
    if (row.is_base ? of.base_dirty : of.head_dirty) {
      continue;  // the snapshot of a modified tree: no ref names it
    }
    const auto commit = commits.find(revision);
    row.commit = commit == commits.end() ? kNowhere : commit->second;
    row.anchored = paired && of.collected && !of.base.empty() && !of.base_dirty;
    if (row.commit == kNowhere) {
      elsewhere.insert(revision);
    }
    if (row.commit != kNowhere || row.anchored) {
      found.invocations.push_back(row);
    }
  }
  for (InvocationRow& invocation : found.invocations) {
    invocation.several = several.of(invocation);
  }
  found.elsewhere = static_cast<std::int64_t>(elsewhere.size());
}

void read_declarations(Connection& connection, RecordedRows& found) {
  std::map<std::string, std::uint32_t> names, facts;
  std::map<Params, std::uint32_t> own_params;
  place_of(facts, {});
  found.facts.emplace_back();
  place_of(own_params, {});
  found.own_params.emplace_back();
  Statement rows = connection.query(
      "SELECT key, workload, facts, ifnull(CAST(params ->> ?1 AS TEXT), ''), "
      "ifnull(CAST(params ->> ?2 AS TEXT), '') FROM declaration",
      kForeignName, kForeignVersion);
  std::int64_t key = 0;
  for (std::string name, text, own_name, version; rows.next();) {
    DeclarationRow row;
    rows.read(key, name, text, own_name, version);
    Params own;
    if (!own_name.empty()) {
      own[kForeignName] = own_name;
    }
    if (!version.empty()) {
      own[kForeignVersion] = version;
    }
    const auto read_facts = [&] { return value_of<std::map<std::string, std::string>>(text); };
    row.own = place_in(found.own_params, own_params, own, [&] { return own; });
    row.name = place_in(found.block_names, names, name, [&] { return name; });
    row.facts = text == "{}" ? 0 : place_in(found.facts, facts, text, read_facts);
    found.declarations.emplace(key, row);
  }
}

void read_blocks(Connection& connection, RecordedRows& found) {
  const auto place = [](const BlockRow& row) { return std::pair(row.invocation, row.idx); };
  Statement rows =
      connection.query("SELECT key, invocation, idx, declaration, median FROM block ORDER BY key");
  std::int64_t declaration = 0;
  for (BlockRow row; rows.next();) {
    rows.read(row.key, row.invocation, row.idx, declaration, row.median);
    row.declaration = &referred(found.declarations, declaration, connection);
    found.blocks.push_back(row);
  }
  if (!std::ranges::is_sorted(found.blocks, {}, place)) {
    std::ranges::sort(found.blocks, {}, place);  // merged, perhaps
  }
}

/// The quantiles that a query asks for.
StepQuantiles wanted_quantiles(const HistoryQuery& query, std::vector<Metric>& metrics) {
  std::set<std::string> names(query.quantiles.begin(), query.quantiles.end());
  names.insert(query.metrics.begin(), query.metrics.end());
  StepQuantiles wanted;
  for (const std::string& name : names) {
    if (const auto quantile = step_quantile(name)) {
      wanted.emplace(static_cast<std::uint32_t>(metrics.size()), *quantile);
      metrics.push_back({name, kStepTime.unit, kStepTime.better});
    }
  }
  return wanted;
}

void read_metrics(Connection& connection, const HistoryQuery& query, RecordedRows& found) {
  found.metrics = {kStepTime, kPeakRss, kInstructions};
  const StepQuantiles quantiles = wanted_quantiles(query, found.metrics);
  Keys wanted;
  {
    Statement rows = connection.query("SELECT key, name, unit, better = 'higher' FROM metric");
    std::int64_t key = 0;
    bool higher = false;
    for (Metric metric; rows.next();) {
      rows.read(key, metric.name, metric.unit, higher);
      metric.better = higher ? Better::higher : Better::lower;
      const auto known = std::find(found.metrics.begin(), found.metrics.end(), metric);
      const bool is_derived = std::ranges::any_of(
          quantiles, [&](const auto& one) { return found.metrics[one.first].name == metric.name; });
      if (is_wanted(query, metric.name) && !is_derived) {
        wanted.emplace(key, static_cast<std::uint32_t>(known - found.metrics.begin()));
        if (known == found.metrics.end()) {
          found.metrics.push_back(metric);
        }
      }
    }
  }
  if (!wanted.empty()) {
    Statement rows = connection.query(
        "SELECT block, metric, value, judge FROM metric_value WHERE counts = 1 ORDER BY block, "
        "idx");
    std::int64_t metric = 0;
    for (MetricRow row; rows.next();) {
      rows.read(row.block, metric, row.value, row.judge);
      if (const auto place = wanted.find(metric); place != wanted.end()) {
        row.metric = place->second;
        found.values.push_back(row);
      }
    }
  }
  if (!quantiles.empty()) {
    derive_quantiles(connection, quantiles, found);
  }
  if (query.tails && is_wanted(query, kStepTime.name)) {
    derive_tails(connection, found);
  }
}

}  // namespace

bool is_wanted(const HistoryQuery& query, const std::string& metric) {
  return query.metrics.empty() ||
         std::find(query.metrics.begin(), query.metrics.end(), metric) != query.metrics.end();
}

RecordedRows read_recorded(Connection& connection, const HistoryQuery& query) {
  connection.read_through(kReadThrough);
  RecordedRows found;
  read_declarations(connection, found);
  read_blocks(connection, found);
  read_invocations(connection, query, found);
  read_metrics(connection, query, found);
  return found;
}

}  // namespace perf::store
