// A server that goes away and comes back.

#include "collector/postgres/session.h"

#include <gtest/gtest.h>

#include <csignal>
#include <memory>
#include <utility>

#include "collector/process/process.h"
#include "tests/collector/git/scratch.h"
#include "tests/collector/postgres/server.h"
#include "tests/contains.h"
#include "tests/thrown_by.h"

namespace perf::postgres {
namespace {

TEST(PostgresSession, ContinuesAfterAServerRestart) {
  test::PostgresServer server;
  bool gone = false;
  Session session(server.address("postgres"), [&] {  // it is asked while it waits to try again
    if (std::exchange(gone, false)) {
      server.start();
    }
    return false;
  });
  session.run([](Connection& connection) { connection.execute("CREATE TABLE t (a int)"); });
  int tries = 0;
  session.run([&](Connection& connection) {
    if (++tries == 1) {
      server.stop(SIGQUIT);
      gone = true;
    }
    connection.run("INSERT INTO t VALUES (1)");
  });
  EXPECT_EQ(tries, 2);
}

TEST(PostgresSession, WaitsForAServerThatIsFull) {
  const std::string address = test::shared_server().address("postgres", "one_of_three");
  Connection(test::shared_server().address("postgres"), {})
      .execute("CREATE ROLE one_of_three LOGIN CONNECTION LIMIT 3");
  std::vector<std::unique_ptr<Connection>> others;
  for (int i = 0; i < 3; ++i) {
    others.push_back(std::make_unique<Connection>(address, std::function<bool()>()));
  }
  const auto refused = thrown_by<Refused>([&] { Connection(address, {}); });
  EXPECT_EQ(refused.state, "53300") << refused.what;
  EXPECT_FALSE(contains(refused.what, "53300"));
  EXPECT_TRUE(contains(refused.hint, "max_connections"));
  int asked = 0;
  Session session(address, [&] {
    if (++asked == 10) {
      others.clear();
    }
    return false;
  });
  bool done = false;
  session.run([&](Connection& connection) {
    connection.run("SELECT 1");
    done = true;
  });
  EXPECT_TRUE(done);
  EXPECT_GE(asked, 10);
}

TEST(PostgresSession, GivesUpOnAMissingServer) {
  const double began = monotonic_seconds();
  Session session("postgres://ada:hunter2@%2Fdev%2Fnull/db", {}, {0.2, 60});
  const auto refused = thrown_by<Refused>([&] { session.run([](Connection&) {}); });
  EXPECT_EQ(refused.subject, "postgres://%2Fdev%2Fnull/db");
  EXPECT_TRUE(contains(refused.what, "Not a directory"));
  EXPECT_FALSE(contains(refused.what, "hunter2"));
  EXPECT_LT(monotonic_seconds() - began, 20);
}

/// A server that hangs: somebody who interrupts waits for nothing.
TEST(PostgresSession, EndsWhenInterrupted) {
  const test::PostgresServer& server = test::shared_server();
  const auto interrupt = [&](const std::function<void(Connection&)>& work) {
    int asked = 0;
    Session other(server.address("postgres"), [&] { return ++asked > 2; });
    return test::error_of([&] { other.run(work); }).what;
  };
  EXPECT_EQ(interrupt([](Connection& connection) { connection.run("SELECT pg_sleep(600)"); }),
            "interrupted while waiting for the hub");
  server.signal(SIGSTOP);
  EXPECT_EQ(interrupt([](Connection&) {}), "interrupted while waiting for the hub");
  server.signal(SIGCONT);
}

TEST(PostgresSession, DoesNotRepeatRefusedStatements) {
  Session session(test::shared_server().address("postgres"), {});
  int tries = 0;
  EXPECT_THROW(session.run([&](Connection& connection) {
    ++tries;
    connection.run("SELECT 1/0");
  }),
               Refused);
  EXPECT_EQ(tries, 1);
}

}  // namespace
}  // namespace perf::postgres
