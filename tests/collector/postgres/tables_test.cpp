// The tables of a hub: who makes them, who may do what to them, and how they grow older.

#include "collector/hub/tables.h"

#include <gtest/gtest.h>

#include "tests/collector/git/scratch.h"
#include "tests/collector/postgres/server.h"

namespace perf::hub {
namespace {

using postgres::Connection;
using postgres::Refused;
using test::as_user;
using test::error_of;
using test::shared_server;

constexpr const char* kNoRight = "42501";
const int kVersion = migrations().back().version;

/// The SQLSTATE of a statement, which changes nothing; empty where it is let through.
std::string state_of(Connection& connection, const std::string& sql) {
  connection.execute("BEGIN");
  std::string state;
  try {
    connection.execute(sql);
  } catch (const Refused& refused) {
    state = refused.state;
  }
  connection.execute("ROLLBACK");
  return state;
}

TEST(HubTables, AreMadeOnce) {
  Connection connection(shared_server().new_database(), {});
  const Error none = error_of([&] { about(connection); });
  EXPECT_EQ(none.what, "there is no hub in this database yet");
  EXPECT_EQ(none.hint, "perf-compare hub init " + connection.place());
  EXPECT_TRUE(make(connection));
  EXPECT_FALSE(make(connection));
  EXPECT_EQ(about(connection).version, migrations().back().version);
  EXPECT_EQ(about(connection).id.size(), 32U);
}

TEST(HubTables, AreNotMadeInAnothersSchema) {
  Connection connection(shared_server().new_database(), {});
  connection.execute("CREATE SCHEMA perf_compare");
  EXPECT_EQ(error_of([&] { make(connection); }).what,
            "the database has a schema perf_compare that is no hub's");
}

TEST(HubTables, AreMadeByWhoMayMakeThem) {
  const std::string address = shared_server().new_database();
  const std::string nobody = as_user(address, "makes_nothing", "");
  Connection(test::new_postgres_hub(), {});  // the roles are there
  Connection connection(nobody, {});
  const Error error = error_of([&] { make(connection); });
  EXPECT_EQ(error.what, "this user may make no schema: makes_nothing");
  EXPECT_NE(error.hint.find("GRANT CREATE ON DATABASE"), std::string::npos);
}

TEST(HubTables, AskForRolesThatTheUserMayNotMake) {
  test::PostgresServer server;
  Connection(server.address("postgres"), {})
      .execute("CREATE ROLE owner LOGIN; ALTER DATABASE postgres OWNER TO owner");
  Connection connection(server.address("postgres", "owner"), {});
  const Error error = error_of([&] { make(connection); });
  EXPECT_EQ(error.what, "this user may make no roles");
  EXPECT_NE(error.hint.find("CREATE ROLE perf_writer NOLOGIN"), std::string::npos);
  Connection(server.address("postgres"), {})
      .execute("CREATE ROLE perf_writer; CREATE ROLE perf_reader; CREATE ROLE perf_indexer");
  EXPECT_TRUE(make(connection));
}

/// What each role may do to each table: all else is refused. I, U, D, S, T: INSERT, UPDATE, ...
TEST(HubTables, LetEachRoleDoItsWorkAndNothingElse) {
  const std::string owner = test::new_postgres_hub();
  const std::map<std::string, std::map<std::string, std::string>> rights{
      {"only_writes", {{"payload", "I"}, {"untrusted", "I"}}},
      {"only_reads", {{"payload", "S"}, {"indexed", "S"}}},
      {"only_indexes", {{"payload", "S"}, {"indexed", "SIUD"}}},
      {"makes_nothing", {}}};
  const std::map<std::string, std::string> roles{{"only_writes", "perf_writer"},
                                                 {"only_reads", "perf_reader"},
                                                 {"only_indexes", "perf_indexer"}};
  const std::string digest(32, 'a');
  const std::map<std::string, std::string> inserts{
      {"hub", "(version, oldest_client) VALUES (1, 1)"},
      {"indexed", "VALUES ('2026-01', 'x', '', NULL)"},
      {"payload", "(writer, month, name, bytes) VALUES ('a', '2026-01', 'b-" + digest + "', '')"},
      {"untrusted",
       "(writer, month, name, bytes) VALUES ('a', '2026-01', 'b-" + digest + "', '')"}};
  Connection tables(owner, {});
  const postgres::Rows names = tables.run(
      "SELECT tablename::text FROM pg_tables WHERE schemaname = 'perf_compare' ORDER BY 1");
  for (const auto& [user, allowed] : rights) {
    const auto role = roles.find(user);
    Connection connection(as_user(owner, user, role == roles.end() ? "" : role->second), {});
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::string table = names.text(i, 0), full = "perf_compare." + table;
      const std::string column = table == "hub" ? "version" : "month";
      ASSERT_TRUE(inserts.contains(table)) << "say who may do what to the table " << table;
      const std::string may = allowed.contains(table) ? allowed.at(table) : "";
      for (const auto& [right, statement] : std::map<char, std::string>{
               {'S', "SELECT * FROM " + full},
               {'I', "INSERT INTO " + full + " " + inserts.at(table) + " ON CONFLICT DO NOTHING"},
               {'U', "UPDATE " + full + " SET " + column + " = " + column},
               {'D', "DELETE FROM " + full},
               {'T', "TRUNCATE " + full}}) {
        EXPECT_EQ(state_of(connection, statement),
                  may.find(right) == std::string::npos ? kNoRight : "")
            << user << ": " << statement;
      }
      for (const std::string& statement :
           {"ALTER TABLE " + full + " ADD x int", "DROP TABLE " + full,
            "CREATE TRIGGER t BEFORE INSERT ON " + full +
                " FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()",
            "COPY " + full + " TO PROGRAM 'true'"}) {
        EXPECT_NE(state_of(connection, statement), "") << user << ": " << statement;
      }
    }
    for (const char* statement :
         {"CREATE TABLE perf_compare.mine (a int)", "CREATE SEQUENCE perf_compare.mine",
          "CREATE FUNCTION perf_compare.mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
          "CREATE OR REPLACE FUNCTION perf_compare.about(OUT id text, OUT version integer, OUT "
          "oldest_client integer) LANGUAGE sql AS $$ SELECT '', 1, 1 $$",
          "DROP SCHEMA perf_compare CASCADE", "CREATE ROLE mine", "CREATE SCHEMA mine"}) {
      EXPECT_EQ(state_of(connection, statement), kNoRight) << user << ": " << statement;
    }
    EXPECT_EQ(state_of(connection, "SELECT * FROM perf_compare.about()"),
              role == roles.end() ? kNoRight : "")
        << user;
  }
  EXPECT_EQ(tables.run("SELECT 1 FROM pg_sequences WHERE schemaname = 'perf_compare'").size(), 0U)
      << "say who may use it";
}

/// To read what it would pass over, a writer would need a right.
TEST(HubTables, TellAWriterNothingOfWhatLiesThere) {
  Connection connection(as_user(test::new_postgres_hub(), "only_writes", "perf_writer"), {});
  const std::string insert =
      "INSERT INTO perf_compare.payload (writer, month, name, bytes) VALUES ('a', '2026-01', 'b-" +
      std::string(32, 'a') + "', '')";
  for (const char* more : {" RETURNING name", " ON CONFLICT (month, name, sha256) DO NOTHING",
                           " ON CONFLICT (month, name, sha256) DO UPDATE SET writer = 'eve'"}) {
    EXPECT_EQ(state_of(connection, insert + more), kNoRight) << more;
  }
}

std::vector<Migration> with_a_step(std::string_view sql) {
  std::vector<Migration> steps = migrations();
  steps.push_back({steps.back().version + 1, "later", sql});
  return steps;
}

/// The words of the statement that programs of version 1 have: they stay.
constexpr const char* kFirstStatement =
    "INSERT INTO perf_compare.payload (writer, month, name, bytes) VALUES ($1, $2, $3, $4) ON "
    "CONFLICT DO NOTHING";

TEST(HubTables, OfALaterVersionTakeWhatOlderProgramsBring) {
  const std::string owner = test::new_postgres_hub();
  Connection connection(owner, {});
  // Another table behind the same name, and a column that older programs do not know.
  const auto later = with_a_step(
      "ALTER TABLE perf_compare.payload ADD parts integer NOT NULL DEFAULT 1;"
      "ALTER TABLE perf_compare.payload RENAME TO payload_2;"
      "CREATE VIEW perf_compare.payload AS SELECT * FROM perf_compare.payload_2;"
      "GRANT INSERT (writer, month, name, bytes) ON perf_compare.payload TO perf_writer");
  EXPECT_EQ(upgrade(connection, later), kVersion);
  EXPECT_EQ(upgrade(connection, later), kVersion + 1);
  Connection writer(as_user(owner, "only_writes", "perf_writer"), {});
  EXPECT_EQ(about(writer).version, kVersion + 1);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(writer
                  .run(kFirstStatement, "ada", "2026-01", "one-" + std::string(32, 'a'),
                       postgres::Bytes{"bytes"})
                  .affected(),
              1 - i);
  }
}

TEST(HubTables, ThatAProgramIsTooOldForAreRefused) {
  Connection connection(test::new_postgres_hub(), {});
  upgrade(connection, with_a_step("UPDATE perf_compare.hub SET oldest_client = version + 1"));
  const Error error = error_of([&] { about(connection); });
  EXPECT_EQ(error.what, "the hub has version " + std::to_string(kVersion + 1) +
                            ", which this perf-compare is too old for");
  EXPECT_NE(error.hint.find("newer perf-compare"), std::string::npos);
  EXPECT_THROW(upgrade(connection), Error);
}

TEST(HubTables, StayAsTheyWereWhereAStepFails) {
  Connection connection(test::new_postgres_hub(), {});
  EXPECT_THROW(upgrade(connection, with_a_step("CREATE TABLE perf_compare.half (); SELECT 1/0")),
               Refused);
  EXPECT_EQ(about(connection).version, kVersion);
  EXPECT_EQ(connection.run("SELECT to_regclass('perf_compare.half')::text").is_null(0, 0), true);
}

TEST(HubTables, TellEachUserWhatHeMayKnow) {
  const std::string owner = test::new_postgres_hub();
  Connection connection(owner, {});
  connection.run(kFirstStatement, "ada", "2026-01", "one-" + std::string(32, 'a'),
                 postgres::Bytes{"bytes"});
  const Status all = status(connection);
  EXPECT_TRUE(all.owns);
  ASSERT_TRUE(all.months && all.untrusted);
  ASSERT_EQ(all.months->size(), 1U);
  EXPECT_EQ(all.months->front().bytes, 5);
  EXPECT_EQ(all.unindexed, 1);
  Connection writing(as_user(owner, "only_writes", "perf_writer"), {});
  const Status writer = status(writing);
  EXPECT_EQ(writer.user, "only_writes");
  EXPECT_TRUE(writer.pushes && !writer.pulls && !writer.indexes && !writer.owns);
  EXPECT_FALSE(writer.months || writer.untrusted);
  Connection reading(as_user(owner, "only_reads", "perf_reader"), {});
  EXPECT_TRUE(status(reading).months && !status(reading).untrusted);
}

}  // namespace
}  // namespace perf::hub
