// Taking in other stores: whole, once, by content, and nothing from a stranger that is not ours.

#include <gtest/gtest.h>

#include <random>

#include "schema/error.h"
#include "schema/files/content.h"
#include "schema/formats/steps.h"
#include "schema/store/connection.h"
#include "schema/store/internal.h"
#include "schema/store/store.h"
#include "tests/contains.h"
#include "tests/schema/store/example.h"
#include "tests/thrown_by.h"

namespace perf {
namespace {

namespace fs = std::filesystem;
using example::add_run, example::execute, example::make_full_store;
using store::Connection;

/// Every table and how many rows it has.
std::string sizes(const fs::path& file) {
  Connection connection(file, Connection::Access::read_only);
  std::vector<std::string> tables;
  {
    store::Statement rows =
        connection.query("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name");
    while (rows.next()) {
      rows.read(tables.emplace_back());
    }
  }
  std::string text;
  for (const std::string& table : tables) {
    text += table + " " +
            std::to_string(*connection.value<std::int64_t>("SELECT count(*) FROM " + table)) + "\n";
  }
  return text;
}

/// Merging is refused with these words, naming the file, and changes nothing.
void expect_refused(const example::Folder& folder, const fs::path& file, const std::string& words) {
  const fs::path ours = folder / "ours.db";
  const std::string before = content_of(ours);
  SCOPED_TRACE(words);
  const auto e = thrown_by<Error>([&] { Store(ours).merge(file); });
  EXPECT_TRUE(contains(e.what, words));
  EXPECT_TRUE(contains(e.subject, file.filename().string()));
  EXPECT_NE(e.hint, "");
  EXPECT_TRUE(before == content_of(ours));
  for (const fs::directory_entry& entry : fs::directory_iterator(folder.path())) {
    EXPECT_FALSE(entry.is_directory()) << "left behind: " << entry.path();
  }
}

/// The same of theirs.db, a copy of whole.db that was changed with the rules switched off.
void expect_refused_with(const example::Folder& folder, const std::string& change,
                         const std::string& words) {
  SCOPED_TRACE(change);
  fs::remove(folder / "theirs.db");
  fs::copy_file(folder / "whole.db", folder / "theirs.db");
  execute(folder / "theirs.db",
          "PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF; " + change);
  expect_refused(folder, folder / "theirs.db", words);
}

class Merge : public testing::Test {
 protected:
  const example::Folder folder;
};

TEST_F(Merge, CopiesARunWithAllItsRows) {
  make_full_store(folder / "theirs.db");
  Store ours(folder / "ours.db");
  add_run(ours, "run-0", 3);  // so that keys differ
  const MergeResult result = ours.merge(folder / "theirs.db");
  EXPECT_EQ(result.runs, 1);
  EXPECT_EQ(result.known, 0);
  EXPECT_EQ(result.unfinished, 0);
  EXPECT_EQ(result.alerts, 1);
  EXPECT_TRUE(result.pins.empty());
  const Store theirs(folder / "theirs.db");
  EXPECT_EQ(example::dump(ours.load("run-1")), example::dump(theirs.load("run-1")));
  EXPECT_EQ(ours.load_plan("run-1").workloads.size(), 2U);
  EXPECT_EQ(ours.load_plan("run-1").environment.facts, example::plan().environment.facts);
  EXPECT_EQ(ours.runs()[0].verdict, theirs.runs()[0].verdict);
  EXPECT_TRUE(ours.problems().empty());
}

TEST_F(Merge, CopiesEveryTable) {
  make_full_store(folder / "theirs.db");
  Store(folder / "ours.db").merge(folder / "theirs.db");
  EXPECT_EQ(sizes(folder / "ours.db"), sizes(folder / "theirs.db"));
  // Every table but those of the hubs and of the pins had something to give.
  std::string given = sizes(folder / "theirs.db");
  for (const std::string none : {"payload 0\n", "pin_event 0\n"}) {
    ASSERT_TRUE(contains(given, none));
    given.erase(given.find(none), none.size());
  }
  EXPECT_FALSE(contains(given, " 0\n"));
}

TEST_F(Merge, IsIdempotent) {
  make_full_store(folder / "theirs.db");
  make_full_store(folder / "third.db", "run-3");
  Store ours(folder / "ours.db");
  ours.merge(folder / "theirs.db");
  ours.merge(folder / "third.db");
  const std::string once = sizes(folder / "ours.db");
  const MergeResult again = ours.merge(folder / "theirs.db");
  EXPECT_EQ(again.runs, 0);
  EXPECT_EQ(again.known, 1);
  EXPECT_EQ(again.continued, 0);
  EXPECT_EQ(again.alerts, 0);
  ours.merge(folder / "third.db");
  EXPECT_EQ(sizes(folder / "ours.db"), once);
  // And back: theirs learns of run-3 alone.
  EXPECT_EQ(Store(folder / "theirs.db").merge(folder / "ours.db").runs, 1);
  EXPECT_EQ(sizes(folder / "theirs.db"), once);
}

TEST_F(Merge, SharesEqualRows) {
  {
    Store theirs(folder / "theirs.db");
    add_run(theirs, "run-1", 2);
    Plan elsewhere = example::plan("run-2");
    elsewhere.environment.machine["cpu_model"] = "made up";  // under the fingerprint of another
    theirs.begin_run(elsewhere, {}, "0.1.0");
  }
  Store ours(folder / "ours.db");
  add_run(ours, "run-0", 2);
  const std::string before = sizes(folder / "ours.db");
  ours.merge(folder / "theirs.db");
  const std::string after = sizes(folder / "ours.db");
  for (const char* shared :
       {"revision ", "parent ", "workload ", "metric ", "name ", "declaration "}) {
    const auto line = [&](const std::string& text) {
      const std::size_t at = text.find("\n" + std::string(shared));
      return text.substr(at, text.find('\n', at + 1) - at);
    };
    EXPECT_EQ(line(after), line(before));
  }
  EXPECT_TRUE(contains(after, "environment 2\n"));
  EXPECT_EQ(ours.load_plan("run-2").environment.machine.at("cpu_model"), "made up");
  EXPECT_EQ(ours.load_plan("run-1").environment.machine.at("cpu_model"), "Xeon");
}

TEST_F(Merge, ContinuesAnUnfinishedRun) {
  Store theirs(folder / "theirs.db");
  add_run(theirs, "run-1", 2, /*finished=*/false);
  Store ours(folder / "ours.db");
  EXPECT_EQ(ours.merge(folder / "theirs.db").unfinished, 1);
  EXPECT_EQ(ours.merge(folder / "theirs.db").continued, 0);
  theirs.add("run-1", example::invocation(2));
  theirs.finish_run(example::report());
  const MergeResult result = ours.merge(folder / "theirs.db");
  EXPECT_EQ(result.runs, 0);
  EXPECT_EQ(result.known, 1);
  EXPECT_EQ(result.continued, 1);
  EXPECT_EQ(example::dump(ours.load("run-1")), example::dump(theirs.load("run-1")));
  EXPECT_EQ(sizes(folder / "ours.db"), sizes(folder / "theirs.db"));
  // A finished run is complete: what a stranger adds to it is not taken.
  theirs.add("run-1", example::invocation(3));
  EXPECT_EQ(ours.merge(folder / "theirs.db").continued, 0);
  EXPECT_EQ(ours.load("run-1").invocations.size(), 3U);
}

TEST_F(Merge, CopiesNewsOfAKnownAlert) {
  make_full_store(folder / "theirs.db");
  Store ours(folder / "ours.db");
  ours.merge(folder / "theirs.db");
  execute(folder / "theirs.db",
          "INSERT INTO alert_event VALUES (2, 3, 'recovered', '2026-01-03T00:00:00Z', '', '', '')");
  EXPECT_EQ(ours.merge(folder / "theirs.db").alerts, 1);
  EXPECT_EQ(sizes(folder / "ours.db"), sizes(folder / "theirs.db"));
}

TEST_F(Merge, SkipsPins) {
  {
    Store theirs(folder / "theirs.db");
    theirs.pin({"release", std::string(40, 'a'), "shipped", "t"});
    theirs.pin({"gone", std::string(40, 'b'), "", "t"});
    theirs.unpin("gone", "t");
  }
  Store ours(folder / "ours.db");
  ours.pin({"release", std::string(40, 'b'), "", "t"});
  const MergeResult result = ours.merge(folder / "theirs.db");
  ASSERT_EQ(result.pins.size(), 1U);
  EXPECT_EQ(result.pins[0].name, "release");
  ASSERT_EQ(ours.pins().size(), 1U);
  EXPECT_EQ(ours.pins()[0].oid, std::string(40, 'b'));
  EXPECT_EQ(ours.pin_events().size(), 1U);
}

TEST_F(Merge, KeepsTheOtherFileUnchanged) {
  make_full_store(folder / "theirs.db");
  fs::permissions(folder / "theirs.db", fs::perms::owner_read);
  const std::string before = content_of(folder / "theirs.db");
  Store(folder / "ours.db").merge(folder / "theirs.db");
  EXPECT_TRUE(before == content_of(folder / "theirs.db"));
}

TEST_F(Merge, RefusesOtherFiles) {
  Store(folder / "ours.db");
  make_full_store(folder / "whole.db");
  const auto changed = [&](const std::string& name, const std::string& statements) {
    fs::copy_file(folder / "whole.db", folder / name);
    execute(folder / name, statements);
    return folder / name;
  };
  expect_refused(folder, folder / "missing.db", "no such store");
  example::write(folder / "text.db", std::string(5000, 'x'));
  expect_refused(folder, folder / "text.db", "not a perf-compare store");
  example::write(folder / "empty.db", "");
  expect_refused(folder, folder / "empty.db", "an empty file");
  fs::create_symlink(folder / "whole.db", folder / "link.db");
  expect_refused(folder, folder / "link.db", "symbolic link");
  expect_refused(folder, changed("newer.db", "PRAGMA user_version = 99"), "newer perf-compare");
  expect_refused(folder, changed("older.db", "PRAGMA user_version = 6"), "unreleased");
  expect_refused(folder, changed("a.db", "ALTER TABLE step ADD COLUMN extra TEXT"),
                 "table step differs");
  expect_refused(folder,
                 changed("b.db",
                         "PRAGMA foreign_keys = OFF; DROP TABLE output; "
                         "CREATE VIEW output AS SELECT 1 AS invocation"),
                 "table output differs");
  expect_refused(folder,
                 changed("c.db", "CREATE TRIGGER t AFTER INSERT ON step BEGIN SELECT 1; END"),
                 "additional trigger, t");
  expect_refused(folder, changed("d.db", "CREATE VIEW v AS SELECT 1"), "additional view: v");
  expect_refused(folder, changed("e.db", "CREATE INDEX i ON run (seed)"), "additional index: i");
  expect_refused(folder, changed("f.db", "CREATE TABLE t (x)"), "additional table: t");
  // What ANALYZE leaves is no reason.
  EXPECT_EQ(Store(folder / "ours.db").merge(changed("g.db", "ANALYZE")).runs, 1);
}

TEST_F(Merge, HintsAtRecoveryAfterAKilledWriter) {
  make_full_store(folder / "live.db");
  Connection writer(folder / "live.db", Connection::Access::read_write);
  writer.execute(
      "PRAGMA cache_size = 1; BEGIN IMMEDIATE; UPDATE step SET seconds = 2 * seconds;"
      "UPDATE invocation SET wall = 2 * wall; PRAGMA cache_spill = 1;"
      "UPDATE phase SET seconds = 2 * seconds");
  fs::copy_file(folder / "live.db", folder / "theirs.db");
  fs::copy_file(folder / "live.db-journal", folder / "theirs.db-journal");
  writer.execute("ROLLBACK");
  Store ours(folder / "ours.db");
  const auto e = thrown_by<Error>([&] { ours.merge(folder / "theirs.db"); });
  EXPECT_TRUE(contains(e.hint, "perf-compare pins --db FILE")) << e.what;
  Store(folder / "theirs.db").pins();
  EXPECT_EQ(ours.merge(folder / "theirs.db").runs, 1);
}

TEST_F(Merge, RefusesAStoreIntoItself) {
  make_full_store(folder / "ours.db");
  fs::create_hard_link(folder / "ours.db", folder / "same.db");
  Store ours(folder / "ours.db");
  EXPECT_THROW(ours.merge(folder / "ours.db"), UsageError);
  EXPECT_THROW(ours.merge(folder / "same.db"), UsageError);
}

/// Rows that SQLite takes and our writers would never write.
TEST_F(Merge, RefusesInvalidRows) {
  make_full_store(folder / "whole.db");
  add_run(*std::make_unique<Store>(folder / "ours.db"), "run-0", 1);
  const struct {
    const char* change;
    const char* words;
  } changes[] = {
      {"UPDATE workload SET name = '../../etc' WHERE key = 1", "table workload"},
      {"UPDATE workload SET name = '--exec' WHERE key = 1", "table workload"},
      {"UPDATE workload SET params = '{]}' WHERE key = 1", "table workload"},
      {"UPDATE workload SET command = '[1]' WHERE key = 1", "table workload"},
      {"UPDATE workload SET needs = '{\"env\": {\"A\": 1}}' WHERE key = 1", "table workload"},
      {"UPDATE declaration SET facts = '{\"a\": {}}' WHERE key = 1", "table declaration"},
      {"UPDATE declaration SET workload = 'a/../b' WHERE key = 1", "table declaration"},
      {"UPDATE revision SET oid = 'HEAD' WHERE key = 1", "table revision"},
      {"UPDATE revision SET oid = upper(oid) WHERE key = 1", "table revision"},
      {"UPDATE parent SET oid = '--upload-pack=x'", "table parent"},
      {"UPDATE run SET id = '-rf'", "table run"},
      {"UPDATE run SET id = 'a b'", "table run"},
      {"UPDATE run SET id = 'alerts'", "table run: a run with the name of a hub's alerts"},
      {"UPDATE run SET size = '; rm'", "table run"},
      {"UPDATE run SET started_at = 'yesterday'", "table run"},
      {"UPDATE run SET warnings = '[{}]'", "table run"},
      {"UPDATE run SET policy = '{]}'", "table run"},
      {"UPDATE run SET attempt = 4611686018427387904", "table run"},
      {"UPDATE invocation SET pair = 4611686018427387904 WHERE key = 1", "table invocation"},
      {"INSERT INTO workload VALUES (99, 'other', '{}', '[]', 'steps', 1, '', ''); "
       "UPDATE invocation SET workload = 99",
       "outside its plan"},
      {"UPDATE output SET stdout = zeroblob(70000000) || '' WHERE invocation = 1",
       "table output: a text of"},
      {"UPDATE metric SET name = '' WHERE key = 1", "table metric"},
      {"UPDATE metric SET unit = hex(zeroblob(101)) WHERE key = 1", "table metric"},
      {"INSERT INTO pruned_block VALUES (4, 't', 1, 0.01, 0.001, 0.009, 0.012, 0.013)",
       "table pruned_block: raw steps of a block that was pruned"},
      {"UPDATE metric SET name = hex(zeroblob(200)) WHERE key = 1", "table metric"},
      {"UPDATE report SET result = '{}'", "table report"},
      {"UPDATE report SET judged = 9223372036854775807", "table report"},
      {"UPDATE comparison SET pairs = 9223372036854775807", "table comparison"},
      {"UPDATE comparison SET look = 4294967297", "table comparison"},
      {"UPDATE comparison SET warnings = '[{}]'", "table comparison"},
      {"UPDATE alert SET oid = 'main'", "table alert"},
      {"UPDATE alert SET params = '{\"a\": [}'", "table alert"},
      {"UPDATE calibrated_series SET pairs = 9223372036854775807", "table calibrated_series"},
      {"UPDATE step SET seconds = 5e-324", "table step"},
      {"UPDATE step SET seconds = 1e308", "table step"},
      {"UPDATE block SET median = 5e-324 WHERE median IS NOT NULL", "table block"},
      {"UPDATE phase SET seconds = 1e-300", "table phase"},
      {"UPDATE metric_value SET value = 1e308", "table metric_value"},
      {"UPDATE metric_value SET value = -5e-324", "table metric_value"},
      {"UPDATE declaration SET tokens_per_step = 1e-300", "table declaration"},
      {"UPDATE invocation SET wall = 1e300", "table invocation"},
      {"UPDATE calibration SET result = json_set(result, '$.replays', -1)", "table calibration"},
  };
  for (const auto& [change, words] : changes) {
    expect_refused_with(folder, change, words);
  }
}

TEST_F(Merge, RefusesInvalidNewsOfAlerts) {
  make_full_store(folder / "whole.db");
  add_run(*std::make_unique<Store>(folder / "ours.db"), "run-0", 1);
  const std::string some_time = "'2026-01-01T00:00:00Z', '', ";
  for (const auto& [event, words] : std::vector<std::pair<std::string, std::string>>{
           {"'seen', 'soon', '', '', ''", "an invalid time"},
           {"'seen', '2026-02-31T00:00:00Z', '', '', ''", "an invalid time"},
           {"'seen', '2026-01-01T00:00:00+01:00', '', '', ''", "an invalid time"},
           {"'ignored', " + some_time + "hex(zeroblob(101)), 'x'", "a name that is"},
           {"'ignored', " + some_time + "'', hex(zeroblob(501))", "a reason that is too long"},
           {"'ignored', " + some_time + "'Ada', ''", "invalid rows"},
           {"'seen', " + some_time + "'', 'why'", "invalid rows"},
           {"'forgotten', " + some_time + "'', 'why'", "invalid rows"}}) {
    expect_refused_with(folder, "INSERT INTO alert_event VALUES (9, 3, " + event + ")", words);
  }
}

// It would count over all that people decide until then.
TEST_F(Merge, SkipsDecisionsFromTheFuture) {
  make_full_store(folder / "theirs.db");
  Store ours(folder / "ours.db");
  execute(folder / "theirs.db",
          "INSERT INTO alert_event VALUES (8, 3, 'ignored', '2026-01-02T00:00:00Z', '', '', 'x'), "
          "(9, 3, 'fixed', '2999-12-31T23:59:59Z', '', '', 'for good')");
  ours.merge(folder / "theirs.db");
  EXPECT_EQ(decision_about(ours.alerts().at(0))->reason, "x");
}

/// Columns of a file that hold JSON in some row: "table.column".
std::vector<std::pair<std::string, std::string>> json_columns(const fs::path& file) {
  Connection connection(file, Connection::Access::read_only);
  std::vector<std::pair<std::string, std::string>> all, found;
  {
    store::Statement rows = connection.query(
        "SELECT t.name, c.name FROM sqlite_schema AS t, pragma_table_info(t.name) AS c "
        "WHERE t.type = 'table' AND c.type = 'TEXT' ORDER BY 1, 2");
    for (std::pair<std::string, std::string> column; rows.next();) {
      rows.read(column.first, column.second);
      all.push_back(column);
    }
  }
  for (const auto& [table, column] : all) {
    if (connection.value<std::int64_t>("SELECT 1 FROM " + table + " WHERE substr(" + column +
                                       ", 1, 1) IN ('[', '{') LIMIT 1")) {
      found.emplace_back(table, column);
    }
  }
  return found;
}

/// However deep: what is read later, and written on the way, recurses.
TEST_F(Merge, RefusesDeepNestingInEveryColumn) {
  make_full_store(folder / "whole.db");
  add_run(*std::make_unique<Store>(folder / "ours.db"), "run-0", 1);
  const auto columns = json_columns(folder / "whole.db");
  EXPECT_EQ(columns.size(), 17U) << "which one is new, and does `merge` read it?";
  constexpr std::size_t kLevels = 200'000;
  const std::string list = std::string(kLevels, '[') + std::string(kLevels, ']');
  for (const auto& [table, column] : columns) {
    for (const std::string& nested : {list, "{\"a\":" + list + "}"}) {
      fs::copy_file(folder / "whole.db", folder / "theirs.db",
                    fs::copy_options::overwrite_existing);
      {
        Connection theirs(folder / "theirs.db", Connection::Access::read_write);
        theirs.execute("PRAGMA ignore_check_constraints = ON");
        example::change(theirs, table,
                        "UPDATE OR IGNORE " + table + " SET " + column + " = '" + nested +
                            "' WHERE substr(" + column + ", 1, 1) IN ('[', '{')");
      }
      expect_refused(folder, folder / "theirs.db", "table " + table);
    }
  }
}

/// Rows that break the rules of their tables, with the rules switched off by who wrote them.
TEST_F(Merge, RefusesRowsThatViolateConstraints) {
  make_full_store(folder / "whole.db");
  add_run(*std::make_unique<Store>(folder / "ours.db"), "run-0", 1);
  const struct {
    const char* change;
    const char* words;
  } changes[] = {
      {"UPDATE step SET warmup = 2 WHERE block = 4", "invalid rows in table step"},
      {"UPDATE comparison SET verdict = 'fine'", "invalid rows in table comparison"},
      {"UPDATE run SET host = 'build-server-7'", "invalid rows in table run"},
      {"UPDATE run SET plan_digest = '../x'", "invalid rows in table run"},
      {"UPDATE run SET shard = 3, shards = 2", "invalid rows in table run"},
      {"UPDATE run SET shards = 2", "invalid rows in table run"},
      {"UPDATE run SET head = 77", "damaged"},
      {"DELETE FROM block WHERE key = 2", "damaged"},
  };
  for (const auto& [change, words] : changes) {
    expect_refused_with(folder, change, words);
  }
}

/// Where the run is known, a stranger cannot make it one of an import, whose time is not looked at.
TEST_F(Merge, SkipsAnImportOfAKnownRun) {
  make_full_store(folder / "ours.db");
  fs::copy_file(folder / "ours.db", folder / "theirs.db");
  execute(folder / "ours.db", "DELETE FROM imported");
  EXPECT_EQ(Store(folder / "ours.db").merge(folder / "theirs.db").known, 1);
  EXPECT_TRUE(contains(sizes(folder / "ours.db"), "imported 0\n"));
  execute(folder / "theirs.db", "UPDATE run SET started_at = '2026-02-02T00:00:00Z'");
  expect_refused(folder, folder / "theirs.db", "two different runs have the id");
}

/// What a workload may write at most, as the readers take it.
TEST_F(Merge, AcceptsEverythingThatReadersAccept) {
  const std::string long_name(200, 'n'), long_text(200'000, 't');
  const std::string metric = R"({"type":"metric","name":")" + long_name + R"(","unit":")" +
                             std::string(200, 'u') +
                             R"(","better":"lower","value":-1e150})"
                             "\n";
  const std::string step = R"({"type":"step","seconds":1e9,"rss":9007199254740992,"phases":{")" +
                           long_name +
                           R"(":1e9}})"
                           "\n"
                           R"({"type":"step","seconds":1e-15,"rss":1})"
                           "\n";
  const std::string check = R"({"type":"check","name":")" + long_name +
                            R"(","passed":false})"
                            "\n";
  std::string facts;
  for (int i = 0; i < 10; ++i) {
    facts += R"({"type":"environment","fact)" + std::to_string(i) + R"(":")" + long_text + "\"}\n";
  }
  const std::string end = "{\"type\":\"end\"}\n";
  const std::string nameless =
      R"({"type":"begin","protocol":1,"params":{"p":")" + long_text + "\"}}\n";
  const std::string named = R"({"type":"begin","protocol":1,"workload":")" + long_name + "\"}\n";
  {
    Store theirs(folder / "theirs.db");
    Plan plan = example::plan("run-1");
    plan.head.subject = std::string(2'000'000, 's');
    theirs.begin_run(plan, example::policy(), "0.1.0", "2026-01-01T00:00:00Z");
    int order = 0;
    for (const std::string& begin : {nameless, named}) {
      Invocation invocation = example::invocation(order++);
      invocation.blocks = formats::read_steps(begin + facts + step + metric + check + end);
      theirs.add("run-1", invocation);
    }
  }
  Store ours(folder / "ours.db");
  EXPECT_EQ(ours.merge(folder / "theirs.db").runs, 1);
  EXPECT_EQ(example::dump(ours.load("run-1")),
            example::dump(Store(folder / "theirs.db").load("run-1")));
}

TEST_F(Merge, RefusesADifferentRunWithTheSameId) {
  make_full_store(folder / "ours.db");
  for (const char* change :
       {"UPDATE run SET seed = 1", "UPDATE run SET size = 'full'",
        "UPDATE run SET head = (SELECT base FROM run)", "UPDATE invocation SET wall = 99",
        "UPDATE run SET host = hex(zeroblob(16))", "UPDATE run SET plan_digest = hex(zeroblob(8))",
        "UPDATE run SET shard = 1, shards = 2", "UPDATE run SET attempt = 2"}) {
    SCOPED_TRACE(change);
    fs::remove(folder / "theirs.db");
    fs::copy_file(folder / "ours.db", folder / "theirs.db");
    execute(folder / "theirs.db", change);
    expect_refused(folder, folder / "theirs.db", "two different runs have the id run-1");
  }
  // What was imported on two machines began when it was imported, and is one run all the same.
  fs::remove(folder / "theirs.db");
  fs::copy_file(folder / "ours.db", folder / "theirs.db");
  execute(folder / "theirs.db", "UPDATE run SET started_at = '2026-02-02T00:00:00Z'");
  EXPECT_EQ(Store(folder / "ours.db").merge(folder / "theirs.db").known, 1);
  execute(folder / "ours.db", "DELETE FROM imported");
  expect_refused(folder, folder / "theirs.db", "two different runs have the id");
}

/// Hundreds of damaged files: never a crash, never a store that is not sound, and nothing changed
/// where one was refused.
TEST_F(Merge, SurvivesDamage) {
  make_full_store(folder / "whole.db");
  const std::string whole = content_of(folder / "whole.db");
  Store(folder / "empty.db");
  const std::string empty = content_of(folder / "empty.db");
  std::mt19937 random(20260101);
  const auto below = [&random](std::size_t limit) { return random() % limit; };
  int refused = 0, taken = 0;
  for (int round = 0; round < 200; ++round) {
    std::string damaged = whole;
    if (round % 8 == 0) {
      damaged.resize(below(whole.size()));
    } else {
      for (std::size_t i = 0; i <= below(12); ++i) {
        // Half of them where a page begins, where its structure is.
        const std::size_t at =
            below(2) == 0 ? below(whole.size() / 4096) * 4096 + below(64) : below(whole.size());
        damaged[std::min(at, whole.size() - 1)] = static_cast<char>(below(256));
      }
    }
    example::write(folder / "theirs.db", damaged);
    example::write(folder / "ours.db", empty);
    try {
      Store ours(folder / "ours.db");
      ours.merge(folder / "theirs.db");
      ++taken;
      EXPECT_TRUE(ours.problems().empty()) << "round " << round;
      for (const ListedRun& run : ours.runs()) {
        ours.load(run.id);
        ours.load_plan(run.id);
      }
    } catch (const Error& e) {
      ++refused;
      EXPECT_TRUE(content_of(folder / "ours.db") == empty) << "round " << round << e.what;
    }
  }
  EXPECT_GT(refused, 100);
  EXPECT_GT(taken, 0);  // damage that meets bytes that nothing reads
}

}  // namespace
}  // namespace perf
