// The tables of a hub: who makes them, who may do what to them, and how they grow older.

#include "collector/hub/database/tables.h"

#include <gtest/gtest.h>

#include "tests/collector/git/scratch.h"
#include "tests/collector/postgres/server.h"
#include "tests/contains.h"

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

TEST(HubTables, AreCreatedOnce) {
  Connection connection(shared_server().new_database(), {});
  const Error none = error_of([&] { about(connection); });
  EXPECT_EQ(none.what, "no hub in this database");
  EXPECT_EQ(none.hint, "perf-compare hub init " + connection.place());
  EXPECT_TRUE(make(connection));
  EXPECT_FALSE(make(connection));
  EXPECT_EQ(about(connection).version, migrations().back().version);
  EXPECT_EQ(about(connection).id.size(), 32U);
}

TEST(HubTables, RefuseAForeignSchema) {
  Connection connection(shared_server().new_database(), {});
  connection.execute("CREATE SCHEMA perf_compare");
  EXPECT_EQ(error_of([&] { make(connection); }).what,
            "the database has a schema perf_compare that does not belong to a hub");
}

TEST(HubTables, NeedPermissionToCreateThem) {
  const std::string address = shared_server().new_database();
  const std::string nobody = as_user(address, "makes_nothing", "");
  Connection(test::new_postgres_hub(), {});  // the roles are there
  Connection connection(nobody, {});
  const Error error = error_of([&] { make(connection); });
  EXPECT_EQ(error.what, "this user may not create a schema: makes_nothing");
  EXPECT_TRUE(contains(error.hint, "GRANT CREATE ON DATABASE"));
}

TEST(HubTables, NeedRolesThatTheUserMayNotCreate) {
  test::PostgresServer server;
  Connection(server.address("postgres"), {})
      .execute("CREATE ROLE owner LOGIN; ALTER DATABASE postgres OWNER TO owner");
  Connection connection(server.address("postgres", "owner"), {});
  const Error error = error_of([&] { make(connection); });
  EXPECT_EQ(error.what, "this user may not create roles");
  EXPECT_TRUE(contains(error.hint, "CREATE ROLE perf_writer NOLOGIN"));
  Connection(server.address("postgres"), {})
      .execute("CREATE ROLE perf_writer; CREATE ROLE perf_reader; CREATE ROLE perf_indexer");
  EXPECT_TRUE(make(connection));
}

/// What a role may do to a table or view; all else is refused. S, I, U, D, T: SELECT, INSERT, ...
std::string rights_to(const std::string& user, const std::string& table) {
  const std::map<std::string, std::map<std::string, std::string>> rights{
      {"hub", {}},
      {"payload", {{"only_writes", "I"}, {"only_reads", "S"}, {"only_indexes", "S"}}},
      {"untrusted", {{"only_writes", "I"}}}};
  const std::map<std::string, std::string> derived{{"only_reads", "S"}, {"only_indexes", "SIUD"}};
  const auto of_table = rights.find(table);
  const auto& of_users = of_table == rights.end() ? derived : of_table->second;
  const auto found = of_users.find(user);
  return found == of_users.end() ? "" : found->second;
}

const std::map<std::string, std::string> kUsers{{"only_writes", "perf_writer"},
                                                {"only_reads", "perf_reader"},
                                                {"only_indexes", "perf_indexer"},
                                                {"makes_nothing", ""}};

TEST(HubTables, GrantEachRoleOnlyItsWork) {
  const std::string owner = test::new_postgres_hub();
  // With a column of each that may be written.
  const postgres::Rows tables = Connection(owner, {}).run(
      "SELECT relname::text, relkind::text, min(attname)::text FROM pg_class JOIN pg_attribute ON "
      "attrelid = pg_class.oid WHERE relnamespace = 'perf_compare'::regnamespace AND relkind IN "
      "('r', 'p', 'v', 'm') AND attnum > 0 AND attgenerated = '' AND attidentity = '' "
      "GROUP BY 1, 2");
  ASSERT_GE(tables.size(), 4U);
  for (const auto& [user, role] : kUsers) {
    Connection connection(as_user(owner, user, role), {});
    for (std::size_t i = 0; i < tables.size(); ++i) {
      const std::string table = "perf_compare." + tables.text(i, 0), column = tables.text(i, 2);
      std::map<char, std::string> statements{{'S', "SELECT * FROM " + table}};
      if (tables.text(i, 1) == "r") {
        statements.insert({{'I', "INSERT INTO " + table + " DEFAULT VALUES ON CONFLICT DO NOTHING"},
                           {'U', "UPDATE " + table + " SET " + column + " = " + column},
                           {'D', "DELETE FROM " + table},
                           {'T', "TRUNCATE " + table}});
      }
      for (const auto& [right, statement] : statements) {
        const bool may = rights_to(user, tables.text(i, 0)).find(right) != std::string::npos;
        EXPECT_EQ(state_of(connection, statement) == kNoRight, !may) << user << ": " << statement;
      }
      for (const std::string& statement :
           {"ALTER TABLE " + table + " ADD x int", "DROP TABLE " + table,
            "COPY " + table + " TO PROGRAM 'true'"}) {
        EXPECT_NE(state_of(connection, statement), "") << user << ": " << statement;
      }
    }
  }
}

TEST(HubTables, LetNoRoleCreateObjects) {
  const std::string owner = test::new_postgres_hub();
  const postgres::Rows sequences = Connection(owner, {}).run(
      "SELECT sequencename::text FROM pg_sequences WHERE schemaname = 'perf_compare'");
  std::vector<std::string> statements{
      "CREATE TABLE perf_compare.mine (a int)",
      "CREATE SEQUENCE perf_compare.mine",
      "CREATE FUNCTION perf_compare.mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
      "CREATE OR REPLACE FUNCTION perf_compare.about(OUT id text, OUT version integer, OUT "
      "oldest_client integer) LANGUAGE sql AS $$ SELECT '', 1, 1 $$",
      "DROP SCHEMA perf_compare CASCADE",
      "CREATE ROLE mine",
      "CREATE SCHEMA mine"};
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    statements.push_back("SELECT nextval('perf_compare." + sequences.text(i, 0) + "')");
    statements.push_back("SELECT setval('perf_compare." + sequences.text(i, 0) + "', 1)");
  }
  for (const auto& [user, role] : kUsers) {
    Connection connection(as_user(owner, user, role), {});
    for (const std::string& statement : statements) {
      EXPECT_EQ(state_of(connection, statement), kNoRight) << user << ": " << statement;
    }
    EXPECT_EQ(state_of(connection, "SELECT * FROM perf_compare.about()"),
              role.empty() ? kNoRight : "")
        << user;
  }
}

/// A writer's own statement is let through, so that what is refused above is refused for its right.
/// To read what it passes over, it would need another.
TEST(HubTables, HidePayloadsFromWriters) {
  Connection connection(as_user(test::new_postgres_hub(), "only_writes", "perf_writer"), {});
  const std::string insert =
      "INSERT INTO perf_compare.payload (writer, month, name, bytes) VALUES ('a', '2026-01', 'b-" +
      std::string(32, 'a') + "', '')";
  EXPECT_EQ(state_of(connection, insert + " ON CONFLICT DO NOTHING"), "");
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

TEST(HubTables, AcceptPayloadsOfOlderPrograms) {
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

TEST(HubTables, RefuseTooOldPrograms) {
  Connection connection(test::new_postgres_hub(), {});
  upgrade(connection, with_a_step("UPDATE perf_compare.hub SET oldest_client = version + 1"));
  const Error error = error_of([&] { about(connection); });
  EXPECT_EQ(error.what, "the hub has version " + std::to_string(kVersion + 1) +
                            ", which is too new for this perf-compare");
  EXPECT_TRUE(contains(error.hint, "newer perf-compare"));
  EXPECT_THROW(upgrade(connection), Error);
}

TEST(HubTables, AreUnchangedAfterAFailedUpgrade) {
  Connection connection(test::new_postgres_hub(), {});
  EXPECT_THROW(upgrade(connection, with_a_step("CREATE TABLE perf_compare.half (); SELECT 1/0")),
               Refused);
  EXPECT_EQ(about(connection).version, kVersion);
  EXPECT_EQ(connection.run("SELECT to_regclass('perf_compare.half')::text").is_null(0, 0), true);
}

TEST(HubTables, ShowEachUserOnlyWhatIsPermitted) {
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
