#include "schema/store/merge/merge.h"

#include "schema/store/merge/foreign_copy.h"
#include "schema/store/merge/foreign_rules.h"
#include "schema/store/merge/merge_tables.h"
#include "schema/store/transaction.h"

namespace perf::store {
namespace {

/// The other store, beside ours on one connection.
class Attached {
 public:
  Attached(Connection& connection, const std::filesystem::path& file) : connection_(connection) {
    connection_.run("ATTACH DATABASE ?1 AS other", file.string());
    // A transaction takes in both, and with a journal on the disk for each SQLite would bind them
    // together with a third, which stays where the process is killed.
    connection_.execute("PRAGMA other.journal_mode = MEMORY");
  }
  ~Attached() {
    try {
      connection_.execute("DETACH DATABASE other");
    } catch (const Error&) {
      // It goes with the connection.
    }
  }
  Attached(const Attached&) = delete;
  Attached& operator=(const Attached&) = delete;

 private:
  Connection& connection_;
};

/// A run is never changed, so two of one id are one, or one of them is made up. What was imported
/// has an id that follows from the file, and so no time of its own.
void refuse_other_runs_of_one_id(Connection& connection, const std::string& file) {
  const auto id = connection.value<std::string>(
      "SELECT theirs.id FROM other.run AS theirs JOIN main.run AS ours ON ours.id = theirs.id "
      "JOIN other.revision AS their_head ON their_head.key = theirs.head "
      "JOIN main.revision AS our_head ON our_head.key = ours.head "
      "JOIN other.environment AS their_machine ON their_machine.key = theirs.environment "
      "JOIN main.environment AS our_machine ON our_machine.key = ours.environment "
      "LEFT JOIN other.revision AS their_base ON their_base.key = theirs.base "
      "LEFT JOIN main.revision AS our_base ON our_base.key = ours.base "
      "WHERE their_head.oid <> our_head.oid OR their_base.oid IS NOT our_base.oid "
      "OR theirs.seed <> ours.seed OR theirs.size <> ours.size OR theirs.purpose <> ours.purpose "
      "OR (NOT EXISTS (SELECT 1 FROM main.imported WHERE run = ours.key) "
      "AND (theirs.started_at <> ours.started_at "
      "OR their_machine.fingerprint <> our_machine.fingerprint)) LIMIT 1");
  const auto measured = connection.value<std::string>(
      "SELECT theirs.id FROM other.run AS theirs JOIN main.run AS ours ON ours.id = theirs.id "
      "JOIN other.invocation AS i ON i.run = theirs.key "
      "JOIN main.invocation AS x ON x.run = ours.key AND x.start_order = i.start_order "
      "WHERE x.wall <> i.wall OR x.side <> i.side OR x.pair <> i.pair OR x.seed <> i.seed LIMIT 1");
  if (id || measured) {
    throw Error("two runs of one id: its run " + (id ? *id : *measured) +
                    " is another one than ours; nothing of this file was taken",
                file, "one of the two was changed: find out by whom");
  }
}

std::int64_t count(Connection& connection, const char* query) {
  return connection.value<std::int64_t>(query).value_or(0);
}

MergeResult result_of(Connection& connection, std::int64_t last_event) {
  MergeResult result;
  result.runs = count(connection, "SELECT count(*) FROM temp.taken_run WHERE fresh");
  result.known = count(connection, "SELECT count(*) FROM temp.taken_run WHERE NOT fresh");
  result.unfinished = count(connection,
                            "SELECT count(*) FROM temp.taken_run AS t WHERE t.fresh AND NOT EXISTS "
                            "(SELECT 1 FROM main.report WHERE run = t.new) AND NOT EXISTS "
                            "(SELECT 1 FROM main.imported WHERE run = t.new)");
  result.continued = count(
      connection,
      "SELECT count(*) FROM temp.taken_run AS t WHERE NOT t.fresh AND (t.new IN (SELECT new FROM "
      "temp.taken_report) OR t.new IN (SELECT run FROM main.invocation WHERE key IN "
      "(SELECT new FROM temp.taken_invocation)))");
  result.alerts =
      connection
          .value<std::int64_t>("SELECT count(DISTINCT alert) FROM main.alert_event WHERE key > ?1",
                               last_event)
          .value_or(0);
  Statement pins =
      connection.query("SELECT name, oid, reason, pinned_at FROM other.baseline ORDER BY name");
  while (pins.next()) {
    Baseline& pin = result.pins.emplace_back();
    pins.read(pin.name, pin.oid, pin.reason, pin.pinned_at);
  }
  return result;
}

}  // namespace

MergeResult merge(Connection& connection, const std::filesystem::path& file) {
  const ForeignCopy copy(file, connection);
  connection.execute("PRAGMA temp_store = MEMORY");
  const Attached attached(connection, copy.path());
  require_sound_rows(connection, file.string());
  WriteTransaction transaction(connection);
  refuse_other_runs_of_one_id(connection, file.string());
  const std::int64_t last_event =
      count(connection, "SELECT ifnull(max(key), 0) FROM main.alert_event");
  copy_tables(connection, file.string());
  MergeResult result = result_of(connection, last_event);
  forget_taken_keys(connection);
  transaction.commit();
  return result;
}

}  // namespace perf::store
