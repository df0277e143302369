#include "schema/store/internal.h"

namespace perf {

using store::Connection, store::Statement, store::WriteTransaction;

namespace {

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
      "LEFT JOIN other.report AS their_report ON their_report.run = theirs.key "
      "LEFT JOIN main.report AS our_report ON our_report.run = ours.key "
      "WHERE their_head.oid <> our_head.oid OR their_base.oid IS NOT our_base.oid "
      "OR theirs.seed <> ours.seed OR theirs.size <> ours.size OR theirs.purpose <> ours.purpose "
      "OR theirs.host <> ours.host OR theirs.plan_digest <> ours.plan_digest "
      "OR theirs.shard IS NOT ours.shard OR theirs.shards IS NOT ours.shards "
      "OR theirs.attempt <> ours.attempt "
      "OR their_report.result <> our_report.result OR their_report.verdict <> our_report.verdict "
      "OR (NOT EXISTS (SELECT 1 FROM main.imported WHERE run = ours.key) "
      "AND (theirs.started_at <> ours.started_at OR theirs.policy <> ours.policy "
      "OR theirs.threshold <> ours.threshold OR theirs.alpha <> ours.alpha "
      "OR their_machine.fingerprint <> our_machine.fingerprint)) LIMIT 1");
  const auto measured = connection.value<std::string>(
      "SELECT theirs.id FROM other.run AS theirs JOIN main.run AS ours ON ours.id = theirs.id "
      "JOIN other.invocation AS i ON i.run = theirs.key "
      "JOIN main.invocation AS x ON x.run = ours.key AND x.start_order = i.start_order "
      "WHERE x.wall <> i.wall OR x.side <> i.side OR x.pair <> i.pair OR x.seed <> i.seed LIMIT 1");
  if (id || measured) {
    throw store::OtherRun("two different runs have the id " + (id ? *id : *measured) +
                              "; nothing of this file was merged",
                          file, "one of the two was changed: find out by whom");
  }
}

MergeResult what_was_taken(Connection& connection, std::int64_t last_event) {
  MergeResult result;
  result.runs = connection.count("SELECT count(*) FROM temp.taken_run WHERE fresh");
  result.known = connection.count("SELECT count(*) FROM temp.taken_run WHERE NOT fresh");
  result.unfinished = connection.count(
      "SELECT count(*) FROM temp.taken_run AS t WHERE t.fresh AND NOT EXISTS "
      "(SELECT 1 FROM main.report WHERE run = t.new) AND NOT EXISTS "
      "(SELECT 1 FROM main.imported WHERE run = t.new) AND NOT EXISTS "
      "(SELECT 1 FROM main.ratchet_end WHERE run = t.new)");
  result.continued = connection.count(
      "SELECT count(*) FROM temp.taken_run AS t WHERE NOT t.fresh AND (t.new IN (SELECT new FROM "
      "temp.taken_report) OR t.new IN (SELECT run FROM main.invocation WHERE key IN "
      "(SELECT new FROM temp.taken_invocation)))");
  result.alerts = connection.count(
      "SELECT count(DISTINCT alert) FROM main.alert_event WHERE key > ?1", last_event);
  result.run_ids = connection.values<std::string>("SELECT id FROM other.run ORDER BY key");
  result.pins = connection.records<Baseline>(
      "SELECT name, oid, reason, pinned_at FROM other.baseline ORDER BY name",
      [](Statement& row, Baseline& pin) {
        row.read(pin.name, pin.oid, pin.reason, pin.pinned_at);
      });
  return result;
}

}  // namespace

MergeResult store::merge_attached(Connection& connection, const std::string& file,
                                  const std::function<void()>& and_then) {
  connection.execute("PRAGMA temp_store = MEMORY");
  WriteTransaction transaction(connection);
  refuse_other_runs_of_one_id(connection, file);
  const std::int64_t last_event =
      connection.count("SELECT ifnull(max(key), 0) FROM main.alert_event");
  copy_tables(connection, file);
  MergeResult result = what_was_taken(connection, last_event);
  forget_taken_keys(connection);
  if (and_then) {
    and_then();
  }
  transaction.commit();
  return result;
}

MergeResult Store::merge(const std::filesystem::path& file) {
  Connection& connection = *connection_;
  const store::ForeignCopy copy(file, connection);
  connection.run("ATTACH DATABASE ?1 AS other", copy.path().string());
  const store::AtEnd detach(connection, "DETACH DATABASE other");
  // A transaction takes in both, and with a journal on the disk for each SQLite would bind them
  // together with a third, which stays where the process is killed.
  connection.execute("PRAGMA other.journal_mode = MEMORY");
  require_sound_rows(connection, file.string());
  return merge_attached(connection, file.string());
}

}  // namespace perf
