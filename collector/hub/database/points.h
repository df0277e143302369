#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "collector/postgres/connection.h"
#include "schema/alert.h"
#include "schema/payload_history.h"
#include "schema/recorded_history.h"
#include "schema/run_list.h"

/// The points of a hub in PostgreSQL (collector/hub/database/sql/0002_points.sql): derived from its
/// payloads.
namespace perf::hub {

/// A payload there, but for its bytes.
struct PayloadKey {
  std::string writer, month, name;
  std::string sha256;  ///< hexadecimal
};

/// What came of indexing.
struct Indexed {
  std::int64_t payloads = 0;   ///< taken
  std::int64_t runs = 0;       ///< of them
  std::vector<Error> refused;  ///< one a payload, its name the subject

  Indexed& operator+=(Indexed more);
};

/// Makes points of the payloads that nobody looked at yet, batch after batch, each in a transaction
/// of its own, one indexer at a time. Those that are refused are remembered so. `interrupted` ends
/// it between two batches.
Indexed index_new(postgres::Connection& connection, const std::function<bool()>& interrupted);

/// Makes the points again, in one transaction: of runs whose payload was taken away they stay.
Indexed index_again(postgres::Connection& connection, const std::function<bool()>& interrupted);

/// Makes of a transaction that has just begun one that sees one state of the hub.
void begin_reading(postgres::Connection& connection);

/// What Store::alerts tells of a store that pulled the same payloads.
std::vector<Alert> load_alerts(postgres::Connection& connection);

/// The latest runs, as Store::list_runs tells them.
std::vector<ListedRun> load_runs(postgres::Connection& connection, std::int64_t limit,
                                 const std::vector<std::string>& globs);

}  // namespace perf::hub
