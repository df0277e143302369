#include <algorithm>
#include <map>
#include <utility>

#include "collector/hub/point_reader.h"
#include "collector/hub/points.h"
#include "schema/error.h"

namespace perf::hub {
namespace {

using postgres::Connection;
using postgres::Rows;

template <class Kind>
Kind kind_of(const std::string& word, Kind last, const Connection& connection) {
  for (int i = 0; i <= static_cast<int>(last); ++i) {
    if (to_string(static_cast<Kind>(i)) == word) {
      return static_cast<Kind>(i);
    }
  }
  throw Error("an alert in the hub says what alerts do not say", connection.place() + ": " + word,
              "was it written by a newer perf-compare?");
}

}  // namespace

void begin_reading(Connection& connection) {
  connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
}

std::vector<Alert> load_alerts(Connection& connection) {
  std::vector<Alert> alerts;
  std::map<std::int64_t, std::size_t> places;
  const Rows rows = connection.run(
      "SELECT key, id, workload, params, metric, fingerprint, anchor, outside, host, kind, "
      "previous_oid, oid, baseline, change FROM perf_compare.alert ORDER BY key");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    places[rows.integer(i, 0)] = i;
    alerts.push_back({rows.text(i, 1),
                      {rows.text(i, 2), stored_params(rows.text(i, 3)), rows.text(i, 4),
                       rows.text(i, 5), rows.text(i, 6), rows.text(i, 7), rows.text(i, 8)},
                      kind_of(rows.text(i, 9), AlertKind::drift, connection),
                      rows.text(i, 10),
                      rows.text(i, 11),
                      rows.text(i, 12),
                      rows.real(i, 13),
                      {}});
  }
  const Rows events = connection.run(
      "SELECT alert, news, at, run, author, reason FROM perf_compare.alert_event ORDER BY key");
  for (std::size_t i = 0; i < events.size(); ++i) {
    alerts[places.at(events.integer(i, 0))].events.push_back(
        {kind_of(events.text(i, 1), AlertNews::fixed, connection), events.text(i, 2),
         events.text(i, 3), events.text(i, 4), events.text(i, 5)});
  }
  return alerts;
}

}  // namespace perf::hub
