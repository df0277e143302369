#include <cstdint>

#include "schema/alert.h"
#include "schema/error.h"
#include "schema/store/internal.h"
#include "schema/text/utc_time.h"

namespace perf::store {
namespace {

/// The kind or news of this word.
template <class Kind>
Kind kind_of(const std::string& word, const Connection& connection) {
  if (const std::optional<Kind> kind = named<Kind>(word)) {
    return *kind;
  }
  throw Error("unknown alert state in the store " + connection.file(), word,
              "install the newer perf-compare that wrote it");
}

std::vector<AlertEvent> load_events(Connection& connection, std::int64_t alert) {
  const auto read = [&connection](Statement& row, AlertEvent& event) {
    std::string news;
    row.read(news, event.at, event.run_id, event.author, event.reason);
    event.news = kind_of<AlertNews>(news, connection);
  };
  return connection.records<AlertEvent>(
      "SELECT news, at, run, author, reason FROM alert_event WHERE alert = ?1 ORDER BY key", read,
      alert);
}

/// A decision counts over those that are here, whatever the clock says: where they are of this very
/// second, or of a clock that was wrong, it is of the second after.
std::string time_of(Connection& connection, std::int64_t alert, const AlertEvent& event) {
  if (!event.is_decision()) {
    return event.at;
  }
  const auto latest = connection.value<std::optional<std::string>>(
      "SELECT max(at) FROM alert_event WHERE alert = ?1 AND reason <> ''", alert);
  const std::string last = latest.value_or(std::nullopt).value_or("");
  const std::optional<std::int64_t> seconds = utc_seconds(last);
  return seconds && event.at <= last ? utc_text(*seconds + 1) : event.at;
}

/// Appends to the life of an alert, once: news that are there already are passed over.
void insert_alert_event(Connection& connection, const std::string& id, const AlertEvent& event) {
  const auto key = connection.value<std::int64_t>("SELECT key FROM alert WHERE id = ?1", id);
  if (!key) {
    throw Error("no such alert in the store " + connection.file(), id,
                "report this bug, with the command line");
  }
  connection.run(
      "INSERT INTO alert_event (alert, news, at, run, author, reason) "
      "VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING",
      *key, to_string(event.news), time_of(connection, *key, event), event.run_id, event.author,
      event.reason);
}

void insert_alerts(Connection& connection, const std::vector<Alert>& alerts) {
  for (const Alert& alert : alerts) {
    connection.add_row(
        "alert (id, workload, params, metric, fingerprint, anchor, kind, previous_oid, "
        "oid, baseline, change, outside, host)",
        alert.id, alert.series.workload, text_of(alert.series.params), alert.series.metric,
        alert.series.fingerprint, alert.series.anchor, to_string(alert.kind), alert.previous_oid,
        alert.oid, alert.baseline, alert.change, alert.series.outside, alert.series.host);
    for (const AlertEvent& event : alert.events) {
      insert_alert_event(connection, alert.id, event);
    }
  }
}

}  // namespace

std::vector<Alert> load_alerts(Connection& connection) {
  const auto read = [&connection](Statement& row, Alert& alert) {
    std::int64_t key = 0;
    std::string params, kind;
    SeriesKey& series = alert.series;
    row.read(key, alert.id, series.workload, params, series.metric, series.fingerprint,
             series.anchor, kind, alert.previous_oid, alert.oid, alert.baseline, alert.change,
             series.outside, series.host);
    series.params = value_of<Params>(params);
    alert.kind = kind_of<AlertKind>(kind, connection);
    alert.events = load_events(connection, key);
  };
  return connection.records<Alert>(
      "SELECT key, id, workload, params, metric, fingerprint, anchor, kind, previous_oid, oid, "
      "baseline, change, outside, host FROM alert ORDER BY key",
      read);
}

}  // namespace perf::store

namespace perf {

std::vector<Alert> Store::alerts() const {
  const store::ReadTransaction transaction(*connection_);
  return store::load_alerts(*connection_);
}

void Store::record_alerts(const std::vector<Alert>& fresh,
                          const std::vector<std::pair<std::string, AlertEvent>>& news) {
  store::WriteTransaction transaction(*connection_);
  store::insert_alerts(*connection_, fresh);
  for (const auto& [id, event] : news) {
    store::insert_alert_event(*connection_, id, event);
  }
  transaction.commit();
}

}  // namespace perf
