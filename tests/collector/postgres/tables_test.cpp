// The tables of a hub: who makes them, and how they grow older.

#include "collector/hub/tables.h"

#include <gtest/gtest.h>

#include "tests/collector/git/scratch.h"
#include "tests/collector/postgres/server.h"

namespace perf::hub {
namespace {

using postgres::Connection;
using test::error_of;
using test::shared_server;

TEST(HubTables, AreMadeOnce) {
  Connection connection(shared_server().new_database(), {});
  const Error none = error_of([&] { about(connection); });
  EXPECT_EQ(none.what, "there is no hub in this database yet");
  EXPECT_EQ(none.hint, "perf-compare hub init " + connection.place());
  EXPECT_TRUE(make(connection));
  EXPECT_FALSE(make(connection));
  EXPECT_EQ(about(connection).version, migrations().back().version);
  EXPECT_EQ(about(connection).id.size(), 36U);
}

}  // namespace
}  // namespace perf::hub
