#include <gtest/gtest.h>

#include "schema/error.h"
#include "schema/files/content.h"
#include "schema/store/internal.h"
#include "schema/store/store.h"
#include "tests/contains.h"
#include "tests/schema/store/example.h"
#include "tests/schema/store/older_store.h"
#include "tests/thrown_by.h"

namespace perf::store {
namespace {

namespace fs = std::filesystem;
using Access = Connection::Access;

/// The real migrations and one more that rebuilds a table others refer to.
std::vector<Migration> one_more(std::string_view sql) {
  std::vector<Migration> steps = migrations();
  steps.push_back({steps.back().version + 1, "next", sql});
  return steps;
}

constexpr std::string_view kRebuild =
    "CREATE TABLE new_revision (key INTEGER PRIMARY KEY, oid TEXT NOT NULL UNIQUE,"
    "  committed_at INTEGER NOT NULL, author TEXT NOT NULL, subject TEXT NOT NULL,"
    "  branch TEXT NOT NULL DEFAULT '') STRICT;"
    "INSERT INTO new_revision (key, oid, committed_at, author, subject) SELECT * FROM revision;"
    "DROP TABLE revision; ALTER TABLE new_revision RENAME TO revision;";

double seconds_in(const fs::path& store) {
  return Connection(store, Access::read_only)
      .value<double>("SELECT sum(seconds) FROM step")
      .value_or(0);
}

struct MigrationTest : testing::Test {
  example::Folder folder;
  fs::path file = folder / "results.db";
  std::uint32_t version = migrations().back().version;
  fs::path copy = folder / ("results.db.version-" + std::to_string(version) + ".bak");

  MigrationTest() {
    perf::Store store(file);
    store.begin_run(example::plan(), {}, "0.1.0");
    store.add("run-1", example::invocation(0));
  }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()));
  }
};

TEST_F(MigrationTest, KeepsACopyAndLosesNothing) {
  {
    Connection connection(file, Access::read_write);
    bring_up_to_date(connection, one_more("ALTER TABLE run ADD COLUMN colour TEXT"));
    EXPECT_EQ(connection.value<std::uint32_t>("PRAGMA user_version"), version + 1);
    EXPECT_EQ(connection.value<std::int64_t>("SELECT count(*) FROM step"), 6);
    EXPECT_EQ(connection.value<std::int64_t>("PRAGMA foreign_keys"), 1);
    EXPECT_TRUE(problems(connection).empty());
  }
  EXPECT_EQ(files(), 2U);
  EXPECT_EQ(perf::Store(copy, perf::Store::Access::read_only).load("run-1").invocations.size(), 1U);
  EXPECT_THROW(perf::Store{file}, Error) << "the program of before refuses the newer store";
}

TEST_F(MigrationTest, RebuildsAReferencedTable) {
  Connection connection(file, Access::read_write);
  bring_up_to_date(connection, one_more(kRebuild));
  EXPECT_EQ(connection.value<std::int64_t>("SELECT count(*) FROM runs"), 1);
  bring_up_to_date(connection, one_more(kRebuild));  // and is then simply current
  EXPECT_EQ(files(), 2U);
}

TEST_F(MigrationTest, KeepsTheStoreUnchangedAfterAFailure) {
  const std::string before = content_of(file);
  for (const char* sql :
       {"ALTER TABLE run ADD COLUMN colour TEXT; SELECT * FROM nonsense", "DELETE FROM revision"}) {
    Connection connection(file, Access::read_write);
    EXPECT_THROW(bring_up_to_date(connection, one_more(sql)), Error) << sql;
  }
  EXPECT_TRUE(before == content_of(file));
  EXPECT_EQ(perf::Store(file).load("run-1").invocations.size(), 1U);
}

TEST_F(MigrationTest, NeverReplacesAnEarlierCopy) {
  example::write(copy, "precious");
  Connection connection(file, Access::read_write);
  bring_up_to_date(connection, one_more("ALTER TABLE run ADD COLUMN colour TEXT"));
  EXPECT_EQ(content_of(copy), "precious");
  EXPECT_TRUE(fs::exists(folder / ("results.db.version-" + std::to_string(version) + ".2.bak")));
}

TEST_F(MigrationTest, MigratesNothingWhenReading) {
  const std::string before = content_of(file);
  Connection connection(file, Access::read_only);
  EXPECT_THROW(bring_up_to_date(connection, one_more("CREATE TABLE t (x)")), Error);
  EXPECT_TRUE(before == content_of(file));
  EXPECT_EQ(files(), 1U);
}

TEST_F(MigrationTest, RunsMissingSteps) {
  const fs::path older = folder / "older.db";
  example::make_older_store(older, 5);
  const double before = seconds_in(older);
  example::open_older_store(older);
  EXPECT_EQ(seconds_in(older), 2 * before);
  EXPECT_EQ(perf::Store(older).load("run-1").invocations.size(), 1U);
  EXPECT_EQ(seconds_in(folder / "older.db.version-6.bak"), before);
  example::open_older_store(older);  // and is then simply current
  EXPECT_EQ(seconds_in(older), 2 * before);
}

TEST_F(MigrationTest, RefusesUnreleasedVersions) {
  for (int earlier = 0; earlier < 7; ++earlier) {
    Connection(file, Access::read_write)
        .execute("PRAGMA user_version = " + std::to_string(earlier));
    const std::string before = content_of(file);
    SCOPED_TRACE(earlier);
    const auto error = thrown_by<Error>([&] { const perf::Store store(file); });
    EXPECT_TRUE(contains(error.what, "unreleased perf-compare (version " + std::to_string(earlier) +
                                         ", this one begins with 7)"));
    EXPECT_TRUE(contains(error.hint, "measure again"));
    EXPECT_TRUE(before == content_of(file));
  }
  EXPECT_EQ(files(), 1U);
}

TEST_F(MigrationTest, RefusesDamagedAndForeignStores) {
  Connection(file, Access::read_write)
      .execute("CREATE TRIGGER t AFTER UPDATE ON run BEGIN DELETE FROM step; END");
  Connection triggered(file, Access::read_write);
  EXPECT_THROW(bring_up_to_date(triggered, one_more("UPDATE run SET size = 'ci'")), Error);
  Connection(file, Access::read_write).execute("DROP TRIGGER t; DELETE FROM revision");
  Connection orphaned(file, Access::read_write);
  EXPECT_THROW(bring_up_to_date(orphaned, one_more("CREATE TABLE t (x)")), Error);
  EXPECT_EQ(files(), 1U) << "no copy of what is not sound";
}

TEST(Migrations, AreNumberedAndIdentifyTheFile) {
  ASSERT_FALSE(migrations().empty());
  EXPECT_EQ(migrations()[0].name, "0007_initial");
  const example::Folder folder;
  perf::Store store(folder / "results.db");
  Connection connection(folder / "results.db", Access::read_only);
  EXPECT_EQ(connection.header().application_id, kApplicationId);
  EXPECT_EQ(connection.header().user_version, migrations().back().version);
  EXPECT_EQ(connection.value<std::string>("PRAGMA journal_mode"), "delete");
  // Every table is STRICT.
  EXPECT_EQ(connection.value<std::int64_t>(
                "SELECT count(*) FROM pragma_table_list WHERE type = 'table' AND NOT strict "
                "AND name NOT LIKE 'sqlite%'"),
            0);
}

TEST(Migrations, RemoveAnUnfinishedStore) {
  const example::Folder folder;
  std::vector<Migration> steps = migrations();
  steps.push_back({steps.back().version + 1, "broken", "CREATE nonsense"});
  {
    Connection connection(folder / "results.db", Access::read_write);
    EXPECT_THROW(bring_up_to_date(connection, steps), Error);
  }
  EXPECT_EQ(fs::file_size(folder / "results.db"), 0U);
  EXPECT_TRUE(perf::Store(folder / "results.db").runs().empty());
}

}  // namespace
}  // namespace perf::store
