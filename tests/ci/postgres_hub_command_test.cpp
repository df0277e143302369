// `perf-compare hub`, and what push and pull say of a hub in PostgreSQL.

#include <gtest/gtest.h>

#include <fstream>

#include "collector/hub/database/tables.h"
#include "schema/files/content.h"
#include "tests/ci/hub_team.h"
#include "tests/contains.h"

namespace perf::test {
namespace {

const std::string kVersion = std::to_string(hub::migrations().back().version);

/// A hub, and the addresses of users who may do one thing each.
struct PostgresTeam : Team {
  std::string owner = hub("postgres");
  std::string writer = as_user(owner, "only_writes", "perf_writer");
  std::string reader = as_user(owner, "only_reads", "perf_reader");
  std::string place = owner.substr(0, 11) + owner.substr(owner.find('@') + 1);
};

TEST(PostgresHubCommand, MakesAHubAndShowsItsStatus) {
  const Team team;
  const std::string address = shared_server().new_database();
  EXPECT_TRUE(ended(team.at("ada", {"push", address}), 3,
                    {"no hub in this database", "perf-compare hub init postgres://"}));
  const auto hub = [&](const std::string& action, const std::string& url) {
    return team.perf_compare({"hub", action, url});
  };
  expect_says(hub("init", address).out, "created the hub (version " + kVersion + ")\n");
  expect_says(hub("init", address).out, "the hub exists already (version " + kVersion + ")\n");
  expect_says(hub("upgrade", address).out, "is at version " + kVersion + " already\n");
  ASSERT_EQ(team.at("ada", {"collect", "HEAD", "--pairs", "1"}).exit_code, 0);
  ASSERT_EQ(team.at("ada", {"push", address}).exit_code, 0);
  ASSERT_EQ(team.at("ada", {"push", address, "--untrusted"}).exit_code, 0);
  const Outcome status = hub("status", address);
  EXPECT_EQ(status.exit_code, 0) << status.err;
  expect_says(status.out,
              ": version " + kVersion + "\npostgres may push, pull, index, prune and upgrade\n");
  expect_says(status.out, " kB\nall: 1 payload, ");
  expect_says(status.out, "; 1 not yet indexed, 0 refused by index\nuntrusted: 1 payload, ");
  expect_says(hub("status", as_user(address, "only_writes", "perf_writer")).out,
              ": version " + kVersion + "\nonly_writes may push\n");
  EXPECT_EQ(hub("status", as_user(address, "makes_nothing", "")).exit_code, 3);
  EXPECT_EQ(hub("index-it", address).exit_code, 2);
  EXPECT_EQ(hub("init", "git:origin").exit_code, 2);
}

TEST(PostgresHubCommand, LetsAWriterPushAndAReaderPull) {
  const PostgresTeam team;
  ASSERT_EQ(team.at("ada", {"collect", "HEAD", "--pairs", "1"}).exit_code, 0);
  expect_says(team.at("ada", {"push", team.writer}).out, team.place + ": pushed 1 run (");
  EXPECT_EQ(team.at("ada", {"push", team.writer}).out, team.place + ": pushed 0 runs\n");
  EXPECT_TRUE(ended(team.at("ada", {"pull", team.writer}), 3,
                    {"permission denied",
                     "grant perf_writer to users who push and perf_reader to users who pull"}));
  EXPECT_EQ(team.at("bob", {"pull", team.reader}).out, team.place + ": pulled 1 run\n");
  EXPECT_EQ(team.at("bob", {"push", team.reader}).out, team.place + ": pushed 0 runs\n");
  EXPECT_EQ(team.at("bob", {"prune", team.reader, "--keep-months", "1"}).exit_code, 3);
}

/// Somebody brought other bytes under the name of a run before the run itself came.
TEST(PostgresHubCommand, FindsARunBehindASquatter) {
  const PostgresTeam team;
  ASSERT_EQ(team.at("ada", {"collect", "HEAD", "--pairs", "1"}).exit_code, 0);
  ASSERT_EQ(team.at("ada", {"push", team.writer}).exit_code, 0);
  postgres::Connection owner(team.owner, {});
  owner.execute(
      "INSERT INTO perf_compare.payload (writer, month, name, bytes) SELECT '0', month, name, "
      "'garbage' FROM perf_compare.payload");
  const Outcome pulled = team.at("bob", {"pull", team.reader});
  EXPECT_EQ(pulled.out, team.place + ": pulled 1 run\n");
  EXPECT_TRUE(ended(pulled, 3, {"payload refused"}));
  EXPECT_EQ(team.at("bob", {"pull", team.reader}).exit_code, 0);
}

TEST(PostgresHubCommand, KeepsUntrustedRunsApart) {
  const PostgresTeam team;
  ASSERT_EQ(team.at("fork", {"collect", "HEAD", "--pairs", "1"}).exit_code, 0);
  expect_says(team.at("fork", {"push", team.writer, "--untrusted"}).out, "pushed 1 run");
  EXPECT_EQ(team.at("bob", {"pull", team.reader}).out, team.place + ": pulled 0 runs\n");
  expect_says(team.at("fork", {"push", team.writer}).out, "pushed 1 run");
  EXPECT_EQ(team.at("bob", {"pull", team.reader}).out, team.place + ": pulled 1 run\n");
  EXPECT_EQ(team.at("fork", {"push", "git:origin", "--untrusted"}).exit_code, 2);
}

TEST(PostgresHubCommand, HidesThePassword) {
  const PostgresTeam team;
  postgres::Connection(team.owner, {})
      .execute(
          "DROP ROLE IF EXISTS with_password; CREATE ROLE with_password LOGIN PASSWORD "
          "'hunter2' IN ROLE perf_writer, perf_reader");
  const std::string behind = team.owner.substr(team.owner.find('@'));
  ASSERT_EQ(team.at("ada", {"collect", "HEAD", "--pairs", "1"}).exit_code, 0);
  const Outcome synced = team.at("ada", {"sync", "postgres://with_password:hunter2" + behind});
  EXPECT_TRUE(ended(synced, 0));
  EXPECT_TRUE(contains(synced.out, "pushed 1 run"));
  EXPECT_FALSE(contains(synced.out + synced.err + content_of(team.store("ada")), "hunter2"));
  EXPECT_TRUE(ended(team.at("ada", {"pull", "postgres://with_password:hunter3" + behind}), 3,
                    {"password authentication failed"}));
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"pull", "postgres://u:hunter3@a@b/c"},
                                             {"postgres://u:hunter3@b/c", "HEAD"},
                                             {"prune", "postgres://u:hunter3@b/c"},
                                             {"hub", "postgres://u:hunter3@b/c", "x"},
                                             {"push", "postgres://u:hunter3@b/c?nonsense=1"}}) {
    const Outcome outcome = team.at("ada", arguments);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
    EXPECT_FALSE(contains(outcome.out + outcome.err, "hunter3")) << outcome.err;
  }
  std::string config = content_of(team.path() / "perf-compare.json");
  config.insert(config.find('{') + 1, "\"hub\": \"postgres://u:hunter3@h/d\",");
  std::ofstream(team.path() / "perf-compare.json") << config;
  const Outcome configured = team.at("ada", {"push"});
  EXPECT_TRUE(ended(configured, 2, {"contains a password"}));
  EXPECT_FALSE(contains(configured.err, "hunter3"));
  // While it waits for a server; what asks it to end is heard at once.
  const Outcome waiting = run(
      {"sh", "-c",
       "'" PERF_BINARY_DIR "/bin/perf-compare' hub status 'postgres://u:hunter2@%2Fdev%2Fnull/d' "
       "2>&1 & until grep -q 'u:[*]*@' /proc/$!/cmdline || [ $((n += 1)) -gt 1000 ]; do :; done; "
       "tr '\\0' ' ' </proc/$!/cmdline; kill -TERM $!; wait $!; echo ended with $?"},
      team.path());
  EXPECT_FALSE(contains(waiting.out, "hunter2"));
  expect_says(waiting.out, "postgres://u:*******@%2Fdev%2Fnull/d");
  expect_says(waiting.out, "ended with 143");
}

/// While another holds the table.
TEST(PostgresHubCommand, LosesNothingWhenAPushIsInterrupted) {
  const PostgresTeam team;
  ASSERT_EQ(team.at("ada", {"collect", "HEAD", "--pairs", "1"}).exit_code, 0);
  postgres::Connection owner(team.owner, {});
  owner.execute("BEGIN; LOCK TABLE perf_compare.payload");
  const Outcome pushed =
      run({"sh", "-c",
           "'" PERF_BINARY_DIR "/bin/perf-compare' push '" + team.writer + "' --db '" +
               team.store("ada") +
               "' 2>&1 & until psql -XAtqc \"SELECT 'waits' FROM pg_stat_activity WHERE "
               "wait_event_type = 'Lock'\" '" +
               team.owner +
               "' | grep -q waits || [ $((n += 1)) -gt 300 ]; do :; done; kill -INT $!; wait $!; "
               "echo ended with $?"},
          team.path());
  expect_says(pushed.out, "interrupted while waiting for the hub");
  expect_says(pushed.out, "ended with 130");
  owner.execute("COMMIT");
  expect_says(team.at("ada", {"push", team.writer}).out, "pushed 1 run");
}

}  // namespace
}  // namespace perf::test
