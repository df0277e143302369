// A server that goes away and comes back.

#include "collector/postgres/session.h"

#include <gtest/gtest.h>

#include <csignal>
#include <utility>

#include "tests/collector/git/scratch.h"
#include "tests/collector/postgres/server.h"

namespace perf::postgres {
namespace {

TEST(PostgresSession, GoesOnWithAServerThatComesBack) {
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

}  // namespace
}  // namespace perf::postgres
