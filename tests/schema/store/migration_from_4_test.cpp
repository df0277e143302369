// A store of the version before history keeps every number it held.

#include <gtest/gtest.h>

#include "schema/store/connection.h"
#include "schema/store/migration.h"
#include "schema/store/store.h"
#include "tests/schema/store/example.h"

namespace perf::store {
namespace {

constexpr char kRows[] = R"(
  INSERT INTO revision VALUES (1, 'aaaa', 0, 'Ada', 'Add');
  INSERT INTO environment VALUES (1, 'f1');
  INSERT INTO workload VALUES (1, 'w', '{}', '["bench"]', 'steps', 300);
  INSERT INTO name VALUES (1, 'forward'), (2, 'backward');
  INSERT INTO declaration VALUES (1, 'w', '{}', NULL, '{}');
  INSERT INTO run (key, id, tool_version, started_at, head, head_name, head_rule, head_dirty,
    environment, size, seed, threshold, alpha, looks, budget, policy, missing, warnings)
    VALUES (1, 'run-1', '0', '2026-01-01T00:00:00Z', 1, 'HEAD', 'HEAD', 0, 1, 'ci', 1, 0.1, 0.01, 6,
    600, '{}', '[]', '[]');
  INSERT INTO run_workload (run, idx, workload, base_missing, head_failed) VALUES (1, 0, 1, '', '');
  INSERT INTO invocation (key, run, start_order, workload, side, revision, pair, attempt, paired,
    steps_wanted, warmup_wanted, seed, padding, failure, timed_out, spawn_error, wall)
    VALUES (1, 1, 0, 1, 'head', 1, 0, 1, 0, 8, 2, 1, 0, '', 0, '', 1.5);
  INSERT INTO block VALUES (7, 1, 0, 1), (8, 1, 1, 1), (9, 1, 2, 1);
  INSERT INTO step VALUES
    (7, 0, 1, 9.0, NULL), (7, 1, 0, 0.3, 9223372036854775807), (7, 2, 0, 0.1, 0),
    (7, 5, 0, 0.2, 4096), (7, 6, 0, 0.7, NULL),
    (8, 0, 1, 2.0, NULL),
    (9, 0, 0, 1e308, 5), (9, 1, 0, 1.5e308, 5);
  INSERT INTO phase VALUES (7, 1, 0, 2, 0.125), (7, 1, 1, 1, 0.25), (7, 2, 0, 1, 0.0);
)";

TEST(MigrationFrom4, KeepsEveryNumber) {
  const example::Folder folder;
  const std::filesystem::path file = folder / "results.db";
  {
    Connection connection(file, Connection::Access::read_write);
    bring_up_to_date(connection, {migrations().begin(), migrations().begin() + 4});
    connection.execute(kRows);
  }
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
