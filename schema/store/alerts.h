#pragma once

#include <string>
#include <utility>
#include <vector>

#include "schema/alert.h"
#include "schema/store/connection.h"

namespace perf::store {

/// Every alert with its events, both in the order of storing. Throws Error for rows that say what
/// no alert says.
std::vector<Alert> load_alerts(Connection& connection);

/// Stores alerts with their events; wants a transaction around it.
void insert_alerts(Connection& connection, const std::vector<Alert>& alerts);

/// Appends to the life of an alert, once: news that are there already are passed over. Throws Error
/// when there is no such alert. Wants a transaction around it.
void insert_alert_event(Connection& connection, const std::string& id, const AlertEvent& event);

}  // namespace perf::store
