#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "collector/hub/database/points.h"
#include "collector/postgres/connection.h"
#include "schema/payload_history.h"

namespace perf::hub {

/// The keys that points refer to.
struct WrittenRuns {
  std::map<std::string, std::int64_t> revisions;  ///< by oid
  std::map<std::string, std::int64_t> facts;      ///< by stored_text
  std::map<std::string, std::int64_t> runs;       ///< by id
};

/// Writes the runs of payloads, none of which is there yet, their programs, commits and facts.
WrittenRuns write_runs(postgres::Connection& connection, const PayloadHistory& history,
                       const std::vector<PayloadKey>& keys);

}  // namespace perf::hub
