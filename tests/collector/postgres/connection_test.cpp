// The hold on libpq, with a real server.

#include "collector/postgres/connection.h"

#include <gtest/gtest.h>

#include "tests/collector/git/scratch.h"
#include "tests/collector/postgres/server.h"

namespace perf::postgres {
namespace {

using test::shared_server;

std::string state_of(Connection& connection, const std::string& sql) {
  try {
    connection.run(sql);
  } catch (const Refused& refused) {
    return refused.state;
  }
  return {};
}

TEST(PostgresConnection, GivesBackWhatItWasGiven) {
  Connection connection(shared_server().address("postgres"), {});
  const std::string bytes("\0\xff\\'\"", 5);
  const Rows rows = connection.run(
      "SELECT $1::text, $2::bigint, $3::double precision, $4::boolean, $5::text, length($6), "
      "$7::int",
      "it's", std::int64_t{-7}, 0.1, true, std::optional<std::string>(), Bytes{bytes}, 3);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows.text(0, 0), "it's");
  EXPECT_EQ(rows.integer(0, 1), -7);
  EXPECT_EQ(rows.real(0, 2), 0.1);
  EXPECT_TRUE(rows.flag(0, 3));
  EXPECT_TRUE(rows.is_null(0, 4));
  EXPECT_EQ(rows.integer(0, 5), 5);
  EXPECT_EQ(connection.bytes("SELECT $1", {Bytes{bytes}}), bytes);
  EXPECT_EQ(connection.bytes("SELECT NULL::bytea", {}), std::nullopt);
}

TEST(PostgresConnection, SaysWhatWasRefused) {
  Connection connection(shared_server().address("postgres"), {});
  EXPECT_EQ(state_of(connection, "SELECT 1/0"), "22012");
  EXPECT_EQ(state_of(connection, "SELECT * FROM nothing"), "42P01");
  EXPECT_EQ(connection.run("SELECT 1").integer(0, 0), 1);  // it is of use after that
}

TEST(PostgresConnection, CopiesRowsIn) {
  Connection connection(shared_server().new_database(), {});
  connection.execute("CREATE TABLE t (a int, b text)");
  std::string rows;
  for (int i = 0; i < 200000; ++i) {
    rows += std::to_string(i) + "\ttext of some length\n";
  }
  connection.copy_in("COPY t FROM STDIN", rows);
  EXPECT_EQ(connection.run("SELECT sum(a), count(*) FROM t").text(0, 1), "200000");
  EXPECT_THROW(connection.copy_in("COPY t FROM STDIN", "x\ty\n"), Refused);
  EXPECT_EQ(connection.run("SELECT count(*) FROM t").text(0, 0), "200000");
}

TEST(PostgresConnection, RollsBackWhatWasNotCommitted) {
  Connection connection(shared_server().new_database(), {});
  connection.execute("CREATE TABLE t (a int)");
  {
    Transaction transaction(connection);
    connection.run("INSERT INTO t VALUES (1)");
  }
  EXPECT_EQ(connection.run("SELECT count(*) FROM t").integer(0, 0), 0);
}

}  // namespace
}  // namespace perf::postgres
