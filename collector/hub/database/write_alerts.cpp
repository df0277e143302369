#include <array>
#include <charconv>

#include "collector/hub/database/rows.h"

namespace perf::hub {

using postgres::Connection;

void write_alerts(Connection& connection, const std::vector<Alert>& alerts) {
  CopyText rows, events;
  for (const Alert& alert : alerts) {
    const SeriesKey& of = alert.series;
    std::array<char, 32> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), alert.change);
    rows.add(alert.id, of.workload, stored_text(of.params), of.metric, of.fingerprint, of.anchor,
             to_string(alert.kind), alert.previous_oid, alert.oid, alert.baseline,
             std::string(digits.data(), end.ptr), of.outside, of.host);
    for (const AlertEvent& event : alert.events) {
      events.add(alert.id, to_string(event.news), event.at, event.run_id, event.author,
                 event.reason);
    }
  }
  if (rows.empty()) {
    return;
  }
  const std::string columns =
      "id, workload, params, metric, fingerprint, anchor, kind, previous_oid, oid, baseline, "
      "change, outside, host";
  fill(connection, "new_alert",
       "id text COLLATE \"C\", workload text, params text, metric text, fingerprint text, anchor "
       "text, kind text, previous_oid text, oid text, baseline text, change double precision, "
       "outside text, host text, n integer GENERATED ALWAYS AS IDENTITY",
       CopyText());
  connection.copy_in("COPY pg_temp.new_alert (" + columns + ") FROM STDIN", rows.rows());
  fill(connection, "new_event",
       "id text COLLATE \"C\", news text, at text, run text, author text, reason text, n integer "
       "GENERATED ALWAYS AS IDENTITY",
       CopyText());
  if (!events.empty()) {
    connection.copy_in("COPY pg_temp.new_event (id, news, at, run, author, reason) FROM STDIN",
                       events.rows());
  }
  connection.execute("INSERT INTO perf_compare.alert (" + columns + ") SELECT " + columns +
                     " FROM pg_temp.new_alert ORDER BY n ON CONFLICT DO NOTHING; "
                     "INSERT INTO perf_compare.alert_event (alert, news, at, run, author, reason) "
                     "SELECT a.key, news, at, run, author, reason FROM pg_temp.new_event JOIN "
                     "perf_compare.alert AS a USING (id) ORDER BY n ON CONFLICT DO NOTHING");
}

}  // namespace perf::hub
