#pragma once

#include <string>
#include <vector>

#include "schema/recorded_history.h"
#include "schema/store/connection.h"
#include "schema/store/store.h"

namespace perf::store {

RecordedHistory load_recorded(Connection& connection, const HistoryQuery& query);

std::vector<MeasuredAt> measured_at(Connection& connection, const std::vector<std::string>& oids,
                                    const std::string& size, const std::string& fingerprint,
                                    const std::string& anchor);

}  // namespace perf::store
