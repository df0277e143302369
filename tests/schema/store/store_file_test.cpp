#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>

#include "schema/error.h"
#include "schema/files/content.h"
#include "schema/store/connection.h"
#include "schema/store/internal.h"
#include "schema/store/store.h"
#include "tests/contains.h"
#include "tests/schema/store/example.h"
#include "tests/thrown_by.h"

namespace perf {
namespace {

namespace fs = std::filesystem;
using store::Connection;

/// Opening is refused with these words, and nothing in the folder changed.
void expect_opening_refused(const example::Folder& folder, const fs::path& file,
                            const std::string& words) {
  const auto state = [&folder] {
    std::string text;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder.path())) {
      text += entry.path().string() + ":" +
              (entry.is_regular_file() ? content_of(entry.path()) : "") + "\n";
    }
    return text;
  };
  const std::string before = state();
  for (const Store::Access access : {Store::Access::read_write, Store::Access::read_only}) {
    const auto e = thrown_by<Error>([&] { Store store(file, access); });
    EXPECT_TRUE(contains(e.what, words));
    EXPECT_TRUE(contains(e.subject, folder.path().string()));
    EXPECT_NE(e.hint, "");
    EXPECT_TRUE(before == state()) << "something was touched";
  }
}

constexpr int kInvocations = 4;  // of 300 steps each: dozens of pages from few transactions

void make_store(const fs::path& file, const std::string& statements = {}) {
  Store store(file);
  store.begin_run(example::plan(), {}, "0.1.0");
  for (int i = 0; i < kInvocations; ++i) {
    store.add("run-1", example::invocation(i, 300));
  }
  Connection(file, Connection::Access::read_write).execute(statements);
}

class StoreFile : public testing::Test {
 protected:
  const example::Folder folder;
};

TEST_F(StoreFile, HidesANewFolderFromGit) {
  Store store(folder / "sub/.perf-compare/results.db");
  EXPECT_EQ(content_of(folder / "sub/.perf-compare/.gitignore"), "*\n");
  EXPECT_FALSE(fs::exists(folder / "sub/.gitignore"));
}

TEST_F(StoreFile, KeepsTheUsersFolderUnchanged) {
  fs::create_directory(folder / ".perf-compare");
  Store kept(folder / ".perf-compare/results.db");
  EXPECT_FALSE(fs::exists(folder / ".perf-compare/.gitignore"));
  Store elsewhere(folder / "my/own/results.db");
  EXPECT_FALSE(fs::exists(folder / "my/own/.gitignore"));
}

TEST_F(StoreFile, RefusesSymbolicLinks) {
  make_store(folder / "real.db");
  fs::create_symlink(folder / "real.db", folder / "link.db");
  fs::create_symlink(folder / "nowhere.db", folder / "dangling.db");
  fs::create_directory(folder / "elsewhere");
  fs::create_directory_symlink(folder / "elsewhere", folder / ".perf-compare");
  expect_opening_refused(folder, folder / "link.db", "symbolic link");
  expect_opening_refused(folder, folder / "dangling.db", "symbolic link");
  expect_opening_refused(folder, folder / ".perf-compare/results.db", "symbolic link");
  EXPECT_FALSE(fs::exists(folder / "nowhere.db"));
  // A link above is how people arrange their disks.
  fs::create_directory_symlink(folder / "elsewhere", folder / "disk");
  Store store(folder / "disk/results.db");
  EXPECT_TRUE(fs::exists(folder / "elsewhere/results.db"));
}

TEST_F(StoreFile, RefusesSpecialFiles) {
  fs::create_directory(folder / "directory");
  expect_opening_refused(folder, folder / "directory", "not a regular file");
  ASSERT_EQ(mkfifo((folder / "fifo").c_str(), 0600), 0);
  EXPECT_THROW(Store(folder / "fifo"), Error);
  example::write(folder / "file", "text");
  EXPECT_THROW(Store(folder / "file/results.db"), Error);
  EXPECT_THROW(Store(folder / ""), Error);
}

TEST_F(StoreFile, RefusesOtherFiles) {
  example::write(folder / "a", "x");
  example::write(folder / "b", std::string(10'000, 'x'));
  example::write(folder / "c", std::string("SQLite format 3\0", 16));
  example::write(folder / "d", std::string(4096, '\0'));
  for (const char* name : {"a", "b", "c", "d"}) {
    expect_opening_refused(folder, folder / name, "not a perf-compare store");
  }
}

TEST_F(StoreFile, RefusesOtherApplicationsDatabases) {
  {
    Connection(folder / "a", Connection::Access::read_write).execute("CREATE TABLE run (key)");
    Connection(folder / "b", Connection::Access::read_write)
        .execute("PRAGMA journal_mode = WAL; PRAGMA application_id = 1; CREATE TABLE t (x)");
  }
  expect_opening_refused(folder, folder / "a", "another application's");
  expect_opening_refused(folder, folder / "b", "another application's");
}

TEST_F(StoreFile, RefusesANewerVersion) {
  make_store(folder / "store", "PRAGMA user_version = 999");
  expect_opening_refused(folder, folder / "store", "newer perf-compare (version 999");
}

TEST_F(StoreFile, RefusesTruncatedStores) {
  make_store(folder / "whole");
  const std::string whole = content_of(folder / "whole");
  for (const std::size_t size : {std::size_t{50}, std::size_t{100}, std::size_t{4095},
                                 std::size_t{4096}, whole.size() / 2, whole.size() - 1}) {
    example::write(folder / "store", whole.substr(0, size));
    EXPECT_THROW(Store(folder / "store"), Error) << size;
    EXPECT_EQ(content_of(folder / "store").size(), size);
  }
  example::write(folder / "store", "");  // an empty file is a store to be
  EXPECT_TRUE(Store(folder / "store").runs().empty());
}

TEST_F(StoreFile, RefusesForeignTriggersAndChangedTables) {
  make_store(folder / "a", "CREATE TRIGGER t AFTER INSERT ON step BEGIN DELETE FROM phase; END");
  make_store(folder / "b", "ALTER TABLE step ADD COLUMN extra TEXT");
  make_store(folder / "c", "DROP VIEW verdicts");
  make_store(folder / "d", "DROP VIEW baseline; CREATE VIEW baseline AS SELECT 1 AS name");
  make_store(folder / "e", "DROP TRIGGER pin_event_is_not_deleted");
  expect_opening_refused(folder, folder / "a", "additional trigger, t");
  expect_opening_refused(folder, folder / "b", "table step differs");
  expect_opening_refused(folder, folder / "c", "view verdicts differs");
  expect_opening_refused(folder, folder / "d", "view baseline differs");
  expect_opening_refused(folder, folder / "e", "trigger pin_event_is_not_deleted differs");
  // What people add for themselves is theirs.
  make_store(folder / "f",
             "CREATE INDEX mine ON invocation (revision); CREATE VIEW v AS SELECT * FROM steps; "
             "CREATE TABLE notes (text); ANALYZE");
  EXPECT_EQ(Store(folder / "f").runs().size(), 1U);
}

TEST_F(StoreFile, ReportsDamage) {
  make_store(folder / "whole");
  const std::string whole = content_of(folder / "whole");
  std::srand(7);
  int noticed = 0;
  for (int round = 0; round < 200; ++round) {
    std::string damaged = whole;
    for (int i = 0; i < 20; ++i) {
      damaged[static_cast<std::size_t>(std::rand()) % whole.size()] =
          static_cast<char>(std::rand() % 256);
    }
    example::write(folder / "store", damaged);
    try {
      Store store(folder / "store");
      noticed += store.problems().empty() ? 0 : 1;
      store.load("run-1");
      store.runs();
    } catch (const Error&) {
      ++noticed;  // anything but an Error, a crash above all, fails the test
    }
  }
  EXPECT_GT(noticed, 100);
}

TEST_F(StoreFile, CreatesNothingWhenReading) {
  EXPECT_THROW(Store(folder / "results.db", Store::Access::read_only), Error);
  EXPECT_THROW(Store(folder / "sub/results.db", Store::Access::read_only), Error);
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST_F(StoreFile, ReadsAReadOnlyStore) {
  make_store(folder / "results.db");
  Store store(folder / "results.db", Store::Access::read_only);
  EXPECT_EQ(store.load("run-1").invocations.size(), std::size_t{kInvocations});
  EXPECT_THROW(store.add("run-1", example::invocation(kInvocations)), Error);
  EXPECT_THROW(store.pin({"a", "b", "", ""}), Error);
  EXPECT_EQ(store.load("run-1").invocations.size(), std::size_t{kInvocations});
}

TEST_F(StoreFile, AcceptsNamesThatAreSpecialToSqlite) {
  for (const char* name : {"file:x?mode=memory", ":memory:", "a'b\"c.db", "%20"}) {
    Store store(folder / name);
    EXPECT_TRUE(fs::exists(folder / name)) << name;
  }
}

}  // namespace
}  // namespace perf
