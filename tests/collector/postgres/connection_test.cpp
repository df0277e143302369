// The hold on libpq, with a real server.

#include "collector/postgres/connection.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <thread>

#include "schema/files/descriptor.h"
#include "tests/collector/git/scratch.h"
#include "tests/collector/postgres/server.h"
#include "tests/contains.h"

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

TEST(PostgresConnection, ReturnsTheGivenValues) {
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

TEST(PostgresConnection, ReportsRefusedStatements) {
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

TEST(PostgresConnection, RollsBackWithoutCommit) {
  Connection connection(shared_server().new_database(), {});
  connection.execute("CREATE TABLE t (a int)");
  {
    Transaction transaction(connection);
    connection.run("INSERT INTO t VALUES (1)");
  }
  EXPECT_EQ(connection.run("SELECT count(*) FROM t").integer(0, 0), 0);
}

Refused refused(const std::string& address) {
  try {
    Connection(address, {});
  } catch (const Refused& error) {
    EXPECT_FALSE(contains(error.what + error.subject + error.hint, "hunter2")) << error.what;
    return error;
  }
  ADD_FAILURE() << "it let " << address << " in";
  return {"", "", "", ""};
}

TEST(PostgresConnection, ReportsWhyItCouldNotConnect) {
  const test::PostgresServer& server = shared_server();
  Connection(server.address("postgres"), {})
      .execute("DROP ROLE IF EXISTS with_password; CREATE ROLE with_password LOGIN PASSWORD 'a'");
  const Refused wrong = refused(server.address("postgres", "with_password:hunter2"));
  EXPECT_EQ(wrong.state, "28P01");
  EXPECT_TRUE(contains(wrong.hint, "PGPASSWORD"));
  EXPECT_EQ(refused(server.address("postgres", "with_password")).state, "28P01");
  EXPECT_EQ(refused(server.address("postgres", "nobody:hunter2")).state, "28000");
  EXPECT_EQ(refused(server.address("nothing")).state, "3D000");
  const Refused host = refused("postgres://u:hunter2@nohost.invalid/db");
  EXPECT_TRUE(contains(host.what, "could not translate host name"));
  EXPECT_NO_THROW(Connection(server.address("postgres", "with_password:a"), {}));
}

TEST(PostgresConnection, QuotesNothingOfAnInvalidAddress) {
  for (const char* address : {"postgres://u:hunter2%zz@h/d", "postgres://h/d?passwrd=hunter2",
                              "postgres://h/d?hunter2", "postgres://u:hunter2"}) {
    const Error error = test::usage_error_of([&] { Connection(address, {}); });
    EXPECT_FALSE(contains(error.what + error.subject + error.hint, "hunter2"))
        << error.what << ": " << error.subject;
  }
}

/// A server without TLS, which asks for the password in clear text where it is let.
TEST(PostgresConnection, SendsNothingInClearTextOverANetwork) {
  const Descriptor listening(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in place{};
  place.sin_family = AF_INET;
  socklen_t size = sizeof place;
  ASSERT_EQ(bind(listening.number(), reinterpret_cast<sockaddr*>(&place), size), 0);
  ASSERT_EQ(listen(listening.number(), 8), 0);
  getsockname(listening.number(), reinterpret_cast<sockaddr*>(&place), &size);
  std::atomic<bool> ends = false;
  std::size_t received = 0;  // B, beside requests for TLS
  std::thread server([&] {
    while (!ends) {
      const Descriptor client(accept(listening.number(), nullptr, nullptr));
      std::array<char, 8> request{};  // its length, and a code
      if (read(client.number(), request.data(), request.size()) == 8) {
        received += request[3] == 8 && write(client.number(), "N", 1) == 1 ? 0 : 8;
        received += read(client.number(), request.data(), request.size()) > 0 ? 1 : 0;
      }
    }
  });
  // Every address that is not this machine's own counts as one of a network; this one is both.
  const std::string address =
      "postgres://u:hunter2@0.0.0.0:" + std::to_string(ntohs(place.sin_port)) + "/d";
  for (const char* mode : {"", "?sslmode=allow"}) {
    EXPECT_EQ(refused(address + mode).state, "08001") << mode;
  }
  ends = true;
  const Descriptor last(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  connect(last.number(), reinterpret_cast<sockaddr*>(&place), size);
  shutdown(last.number(), SHUT_RDWR);
  server.join();
  EXPECT_EQ(received, 0U);
}

}  // namespace
}  // namespace perf::postgres
