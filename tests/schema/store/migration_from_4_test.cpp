// A store of the version before history keeps every number it held.

#include <gtest/gtest.h>

#include "schema/store/connection.h"
#include "schema/store/store.h"
#include "tests/schema/store/example.h"
#include "tests/schema/store/version_4.h"

namespace perf::store {
namespace {

TEST(MigrationFrom4, KeepsEveryNumber) {
  const example::Folder folder;
  const std::filesystem::path file = folder / "results.db";
  example::make_version_4(file);
  perf::Store store(file);
  EXPECT_EQ(store.problems(), std::vector<std::string>{});
  const History history = store.load("run-1");
  ASSERT_EQ(history.invocations.size(), 1U);
  const std::vector<Block>& blocks = history.invocations[0].blocks;
  ASSERT_EQ(blocks.size(), 3U);
  const std::vector<Step>& steps = blocks[0].steps;
  ASSERT_EQ(steps.size(), 5U);
  EXPECT_EQ(steps[0].rss, std::nullopt);
  EXPECT_EQ(steps[1].rss, 9223372036854775807);
  EXPECT_EQ(steps[2].rss, 0);
  EXPECT_EQ(steps[3].rss, 4096);
  EXPECT_EQ(steps[4].rss, std::nullopt);
  EXPECT_TRUE(steps[0].warmup);
  EXPECT_EQ(steps[3].index, 5);
  EXPECT_EQ(steps[3].seconds, 0.2);
  EXPECT_EQ(steps[1].phases,
            (std::vector<std::pair<std::string, double>>{{"forward", 0.25}, {"backward", 0.125}}));
  EXPECT_EQ(blocks[2].steps[1].seconds, 1.5e308);

  Connection connection(file, Connection::Access::read_only);
  const auto number = [&connection](const char* sql) {
    return connection.value<double>(sql).value_or(-1);
  };
  EXPECT_EQ(number("SELECT timed FROM block WHERE key = 7"), 4);
  EXPECT_EQ(number("SELECT median FROM block WHERE key = 7"), 0.5 * 0.2 + 0.5 * 0.3);
  EXPECT_EQ(number("SELECT timed FROM block WHERE key = 8"), 0);
  EXPECT_EQ(number("SELECT median IS NULL FROM block WHERE key = 8"), 1);
  EXPECT_EQ(number("SELECT median FROM block WHERE key = 9"), 1.25e308) << "no overflow on the way";
  EXPECT_EQ(number("SELECT rss FROM steps WHERE block = 7 AND idx = 5"), 4096);
}

}  // namespace
}  // namespace perf::store
