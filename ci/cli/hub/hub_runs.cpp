#include <vector>

#include "ci/cli/hub/hub.h"
#include "ci/cli/run/signals.h"
#include "collector/hub/database/points.h"
#include "collector/hub/database/tables.h"
#include "collector/hub/hub.h"
#include "collector/postgres/address.h"
#include "schema/error.h"
#include "schema/payload.h"

namespace perf {
namespace {

using postgres::Connection;
using postgres::Rows;

/// Runs of one text that are taken, to be told apart.
constexpr int kMostNamed = 20;

/// Takes the payloads of runs that meet a condition, without refused ones.
std::size_t take_runs(const Options& options, const std::string& which,
                      const std::vector<postgres::Parameter>& values, Store& store) {
  std::vector<Payload> payloads;
  HubReading(options, [&](Connection& connection) {
    payloads.clear();
    const Rows rows = connection.run_with(
        "SELECT p.month, p.name, encode(p.sha256, 'hex') FROM (SELECT * FROM perf_compare.run AS "
        "r " +
            which +
            ") AS r JOIN perf_compare.payload AS p ON left(p.name, -33) = r.id JOIN "
            "perf_compare.indexed AS i ON i.month = p.month AND i.name = p.name AND i.sha256 = "
            "p.sha256 WHERE i.refused IS NULL ORDER BY r.key, p.month, p.name",
        values);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::optional<std::string> bytes = connection.bytes(
          "SELECT bytes FROM perf_compare.payload WHERE month = $1 AND name = $2 AND sha256 = "
          "decode($3, 'hex')",
          {rows.text(i, 0), rows.text(i, 1), rows.text(i, 2)});
      payloads.push_back({rows.text(i, 1), rows.text(i, 0), bytes.value_or("")});
    }
  });
  const TakenPayloads taken = store.take("hub", payloads);
  if (!taken.refused.empty()) {
    throw taken.refused.front();
  }
  return static_cast<std::size_t>(taken.merged.runs);
}

}  // namespace

bool reads_hub(const Options& options) {
  return postgres::is_address(options.hub);
}

void require_tables(const Options& options) {
  if (!options.hub.empty() && !reads_hub(options)) {
    throw UsageError("not a PostgreSQL hub", shown_hub(options.hub),
                     "perf-compare pull HUB, then " + options.command + " without --hub");
  }
}

HubReading::HubReading(const Options& options, const std::function<void(Connection&)>& work)
    : session_(options.hub, is_interrupted) {
  session_.run([&](Connection& connection) {
    hub::about(connection);
    transaction_ = std::make_unique<postgres::Transaction>(connection);
    try {
      hub::begin_reading(connection);
      work(connection);
    } catch (...) {
      transaction_.reset();  // while the connection is there
      throw;
    }
  });
}

RunList runs_in_hub(const Options& options) {
  RunList list;
  list.store = shown_hub(options.hub);
  list.workloads = options.workloads;
  HubReading(options, [&](Connection& connection) {
    list.all = connection.run("SELECT count(*) FROM perf_compare.run").integer(0, 0);
    list.runs =
        hub::load_runs(connection, static_cast<std::int64_t>(options.limit) + 1, options.workloads);
  });
  list.more = list.runs.size() > static_cast<std::size_t>(options.limit);
  if (list.more) {
    list.runs.pop_back();
  }
  return list;
}

std::size_t take_runs_named(const Options& options, Store& store) {
  return options.run.empty()
             ? take_runs(options, "ORDER BY key DESC LIMIT 1", {}, store)
             : take_runs(options, "WHERE starts_with(id, $1) ORDER BY id <> $1, key LIMIT $2",
                         {options.run, kMostNamed}, store);
}

std::size_t take_runs_at(const Options& options, const std::string& oid, Store& store) {
  return take_runs(options,
                   "WHERE (SELECT key FROM perf_compare.revision WHERE oid = $1) IN (base, head)",
                   {oid}, store);
}

}  // namespace perf
