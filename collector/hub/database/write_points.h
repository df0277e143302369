#pragma once

#include <string>
#include <vector>

#include "collector/hub/database/points.h"
#include "collector/postgres/connection.h"
#include "schema/payload_history.h"

namespace perf::hub {

/// Writes what payloads hold, in the transaction that there is. Runs of these ids are not there yet
/// (forget_runs); `keys`: of each payload. Throws postgres::Refused for what no text or number of
/// PostgreSQL is.
void write_points(postgres::Connection& connection, const PayloadHistory& history,
                  const std::vector<PayloadKey>& keys);

/// Writes alerts, and what of their news is not there yet.
void write_alerts(postgres::Connection& connection, const std::vector<Alert>& alerts);

/// Takes runs away with their points; `which`: a condition on the table run.
void forget_runs(postgres::Connection& connection, const std::string& which,
                 const std::vector<postgres::Parameter>& values);

}  // namespace perf::hub
