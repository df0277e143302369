// A hub in PostgreSQL: what its writers may do, and what they may do to each other.

#include <gtest/gtest.h>

#include <csignal>

#include "collector/hub/hub.h"
#include "collector/postgres/connection.h"
#include "tests/collector/git/scratch.h"
#include "tests/collector/postgres/server.h"

namespace perf {
namespace {

using postgres::Bytes;
using postgres::Connection;
using postgres::Refused;
using test::as_user;
using test::error_of;
using test::run_process;

constexpr const char* kDigest = "0123456789abcdef0123456789abcdef";

Payload run_payload(const std::string& run, const std::string& bytes,
                    const std::string& month = "2026-01") {
  return {run + "-" + kDigest, month, bytes};
}

/// A hub, its owner's address, and those of users who have one role each.
struct Tables {
  std::unique_ptr<Hub> open(const std::string& address, bool untrusted = false) const {
    return open_hub(address, {repository, scratch.beside("cache"), {}, untrusted});
  }
  test::Scratch scratch;
  Repository repository = Repository::open(scratch.path(), run_process());
  std::string owner = test::new_postgres_hub();
  std::string writer = as_user(owner, "only_writes", "perf_writer");
  std::string reader = as_user(owner, "only_reads", "perf_reader");
};

TEST(PostgresHub, LetsAWriterPushAndAReaderPull) {
  const Tables tables;
  const auto writer = tables.open(tables.writer), reader = tables.open(tables.reader);
  const std::string bytes("\0\x01'\\\xff", 5);
  writer->put("ada", {run_payload("one", bytes), run_payload("two", "b", "2025-12")});
  writer->put("ada", {run_payload("two", "b", "2025-12"), run_payload("one", bytes)});
  const HubListing listing = reader->list();
  ASSERT_EQ(listing.entries.size(), 2U);
  EXPECT_EQ(listing.entries[1].name, run_payload("one", "").name);
  EXPECT_EQ(reader->read(listing.entries[1]), bytes);
  EXPECT_NE(error_of([&] { writer->list(); }).what.find("permission denied"), std::string::npos);
  const Error refused = error_of([&] { reader->put("ada", {run_payload("three", "c")}); });
  EXPECT_NE(refused.what.find("permission denied"), std::string::npos) << refused.what;
  EXPECT_NE(refused.hint.find("grant perf_writer"), std::string::npos) << refused.hint;
  EXPECT_NE(error_of([&] { reader->drop_before("2026-01"); }).what.find("permission denied"),
            std::string::npos);
  tables.open(tables.owner)->drop_before("2026-01");
  EXPECT_EQ(reader->list().entries.size(), 1U);
}

TEST(PostgresHub, HasOneKeyForAllAddresses) {
  const Tables tables;
  const std::string key = tables.open(tables.writer)->key();
  EXPECT_EQ(key, tables.open(tables.reader + "?application_name=x&connect_timeout=9")->key());
  EXPECT_NE(key, tables.open(tables.writer, true)->key());
  const Tables others;
  EXPECT_NE(key, others.open(others.writer)->key());
  // What stores brought to a hub they did not bring to a copy of it.
  const std::string name = tables.owner.substr(tables.owner.rfind('/') + 1);
  Connection(test::shared_server().address("postgres"), {})
      .execute("CREATE DATABASE copy_of_" + name + " TEMPLATE " + name);
  EXPECT_NE(key, tables.open(test::shared_server().address("copy_of_" + name))->key());
}

/// A writer brings something else under a name before its owner does, and the true bytes with a
/// month that is pruned at once.
TEST(PostgresHub, AcceptsPayloadsUnderATakenName) {
  const Tables tables;
  const auto writer = tables.open(tables.writer), reader = tables.open(tables.reader);
  writer->put("eve", {run_payload("one", "garbage")});
  writer->put("eve", {run_payload("one", "true", "1999-01")});
  writer->put("ada", {run_payload("one", "true")});
  tables.open(tables.owner)->drop_before("2025-01");
  std::vector<std::string> found;
  for (const HubEntry& entry : reader->list().entries) {
    found.push_back(reader->read(entry));
  }
  EXPECT_EQ(found, (std::vector<std::string>{"true", "garbage"}));
}

/// The digest, the time and the user of a payload are the server's word.
TEST(PostgresHub, LetsAWriterForgeNothing) {
  const Tables tables;
  Connection connection(tables.writer, {});
  for (const char* column : {"sha256", "brought_at", "brought_by"}) {
    EXPECT_THROW(
        connection.execute(std::string("INSERT INTO perf_compare.payload (writer, month, "
                                       "name, bytes, ") +
                           column + ") VALUES ('a', '2026-01', 'b-" + kDigest + "', '', DEFAULT)"),
        Refused)
        << column;
  }
}

TEST(PostgresHub, RefusesInvalidPayloads) {
  const Tables tables;
  const auto hub = tables.open(tables.writer);
  const std::string evil = "x'); DROP TABLE perf_compare.payload; --";
  EXPECT_THROW(hub->put(evil, {run_payload("one", "a")}), Refused);
  EXPECT_THROW(hub->put("ada", {run_payload(evil, "a")}), Refused);
  EXPECT_THROW(hub->put("ada", {run_payload("one", "a", evil)}), Refused);
  EXPECT_THROW(hub->put(std::string("a\0b", 3), {run_payload("one", "a")}), Refused);
  EXPECT_THROW(hub->put("ada", {run_payload("one", std::string(kLargestPayload + 1, 'x'))}), Error);
  EXPECT_TRUE(tables.open(tables.reader)->list().entries.empty());
}

TEST(PostgresHub, TakesTheLargestPayload) {
  const Tables tables;
  const std::string bytes(kLargestPayload, '\x80');
  tables.open(tables.writer)->put("ada", {run_payload("one", bytes)});
  const auto reader = tables.open(tables.reader);
  EXPECT_EQ(reader->read(reader->list().entries.at(0)), bytes);
}

TEST(PostgresHub, ReadsManyAtOnceButFewLargeOnes) {
  const Tables tables;
  std::vector<Payload> payloads;
  for (int i = 100; i < 400; ++i) {
    payloads.push_back(run_payload("a" + std::to_string(i), "bytes of " + std::to_string(i)));
  }
  for (const char letter : {'x', 'y', 'z'}) {
    payloads.push_back(run_payload(std::string(1, letter), std::string(5U << 20U, letter)));
  }
  tables.open(tables.writer)->put("ada", payloads);
  const auto reader = tables.open(tables.reader);
  const std::vector<HubEntry> entries = reader->list().entries;
  Connection(tables.owner, {}).execute("DELETE FROM perf_compare.payload WHERE name LIKE 'a150-%'");
  const auto first = reader->read_some(entries);
  ASSERT_EQ(first.size(), 301U);
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(first[i].value_or("none"), i == 50 ? "none" : payloads[i].bytes);
  }
  EXPECT_THROW(reader->read(entries[50]), Error);
  const std::span<const HubEntry> rest = std::span(entries).subspan(301);
  ASSERT_EQ(reader->read_some(rest).size(), 1U);
  EXPECT_EQ(reader->read_some(rest.last(1)).front(), payloads.back().bytes);
}

TEST(PostgresHub, RefusesTooLargePayloadsWithoutSendingThem) {
  const Tables tables;
  const auto hub = tables.open(tables.owner);
  Connection(tables.owner, {}).execute("DROP TABLE perf_compare.payload");
  const Error error = error_of(
      [&] { hub->put("ada", {run_payload("one", std::string(kLargestPayload + 1, 'x'))}); });
  EXPECT_EQ(error.what, "the payload is too large for a hub");
}

TEST(PostgresHub, KeepsUntrustedRunsApart) {
  const Tables tables;
  tables.open(tables.writer, true)->put("fork", {run_payload("one", "a")});
  EXPECT_TRUE(tables.open(tables.reader)->list().entries.empty());
  EXPECT_TRUE(tables.open(tables.owner)->list().entries.empty());
  Connection owner(tables.owner, {});
  EXPECT_EQ(owner.run("SELECT count(*) FROM perf_compare.untrusted").integer(0, 0), 1);
  // The same run, once it is trusted.
  tables.open(tables.writer)->put("ada", {run_payload("one", "a")});
  EXPECT_EQ(tables.open(tables.reader)->list().entries.size(), 1U);
  tables.open(tables.owner)->drop_before("2026-02");
  EXPECT_EQ(owner.run("SELECT count(*) FROM perf_compare.untrusted").integer(0, 0), 0);
}

TEST(PostgresHub, ReportsOtherRows) {
  const Tables tables;
  Connection owner(tables.owner, {});
  owner.execute("ALTER TABLE perf_compare.payload DROP CONSTRAINT payload_name_check");
  owner.execute(
      "INSERT INTO perf_compare.payload (writer, month, name, bytes) "
      "VALUES ('eve', '2026-01', '../../x', 'y')");
  const HubListing listing = tables.open(tables.reader)->list();
  EXPECT_TRUE(listing.entries.empty());
  ASSERT_EQ(listing.strange.size(), 1U);
  EXPECT_EQ(listing.strange[0].subject, "eve/2026-01/../../x");
}

/// Another brings the same in the other order, and each waits for the other.
TEST(PostgresHub, TriesAgainWhereTwoPushTheSame) {
  const Tables tables;
  Connection(tables.owner, {}).execute("ALTER ROLE only_writes SET deadlock_timeout = '300ms'");
  Connection other(tables.owner, {});
  const auto bring = [&](const Payload& payload) {
    other.run(
        "INSERT INTO perf_compare.payload (writer, month, name, bytes) VALUES ('bob', $1, "
        "$2, $3)",
        payload.month, payload.name, Bytes{payload.bytes});
  };
  other.execute("BEGIN");
  bring(run_payload("two", "b"));
  Connection watcher(tables.owner, {});
  bool met = false;
  const auto while_waiting = [&] {
    const bool waits = watcher
                           .run(
                               "SELECT 1 FROM pg_stat_activity WHERE usename = 'only_writes' AND "
                               "wait_event_type = 'Lock' AND datname = current_database()")
                           .size() != 0;
    if (waits && !std::exchange(met, true)) {  // it has brought "one", and waits for "two"
      EXPECT_NO_THROW(bring(run_payload("one", "a")));
      other.execute("COMMIT");
    }
    return false;
  };
  const auto hub =
      open_hub(tables.writer, {tables.repository, tables.scratch.beside("cache"), while_waiting});
  hub->put("ada", {run_payload("two", "b"), run_payload("one", "a")});
  EXPECT_TRUE(met);
  EXPECT_EQ(tables.open(tables.reader)->list().entries.size(), 2U);
}

}  // namespace
}  // namespace perf
