#pragma once

#include <optional>
#include <span>
#include <vector>

#include "schema/alert.h"
#include "schema/error.h"
#include "schema/payload.h"
#include "schema/recorded_history.h"
#include "schema/run_list.h"
#include "schema/store/connection.h"

namespace perf::store {

/// Makes an empty database in memory a store of payloads, each of which is checked as merge()
/// checks: why not, of each that was not taken, its name the subject.
std::vector<std::optional<Error>> gather_sound(Connection& gathered,
                                               std::span<const Payload> payloads);

/// What members of Store of these names tell.
RecordedHistory load_recorded(Connection& connection, const HistoryQuery& query);
std::vector<Alert> load_alerts(Connection& connection);
std::vector<ListedRun> load_runs(Connection& connection);

}  // namespace perf::store
