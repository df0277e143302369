// kill -9 of merge, prune and migration: the store is as before, or as after.

#include <gtest/gtest.h>

#include "schema/store/connection.h"
#include "schema/store/store.h"
#include "tests/faults/effort.h"
#include "tests/faults/kill_tally.h"
#include "tests/faults/store_work.h"
#include "tests/faults/striker.h"
#include "tests/schema/store/example.h"
#include "tests/schema/store/older_store.h"

namespace perf::test {
namespace {

namespace fs = std::filesystem;

constexpr char kStoreWhen[] = "2020-01-01T00:00:00Z";  // long enough ago for prune
constexpr int kStoreKilled = 128 + SIGKILL;

void add_runs(const fs::path& file, const std::string& prefix, int runs) {
  Store store(file);
  for (int i = 0; i < runs; ++i) {
    const std::string id = prefix + std::to_string(i);
    store.begin_run(example::plan(id), example::policy(), "0.1.0", kStoreWhen);
    for (int order = 0; order < 4; ++order) {
      store.add(id, example::invocation(order, 200));
    }
    store.finish_run(example::report(id));
  }
}

/// A migration killed between two steps keeps a copy of the old store.
bool is_copy(const std::string& name) {
  const std::string begin = "results.db.version-";
  return name.rfind(begin, 0) == 0 &&
         name.substr(std::min(name.size(), name.find_first_not_of("0123456789", begin.size()))) ==
             ".bak";
}

/// A repository with a store that a command changes, restored before each kill.
class Struck : public ::testing::Test {
 protected:
  Struck() { repository_.commit("Root"); }

  fs::path store() const { return store_in(repository_.path()); }

  fs::path kept() const { return repository_.path().parent_path() / "kept.db"; }

  void restore() const {
    fs::remove_all(store().parent_path());
    fs::create_directory(store().parent_path());
    fs::copy(kept(), store());
  }

  /// Kills the command `kills` times.
  void strike(const std::string& name, const std::vector<std::string>& arguments, int kills);

  /// Files beside the store, except copies.
  std::vector<std::string> beside() const;

  ScratchRepository repository_;
};

std::vector<std::string> Struck::beside() const {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(store().parent_path())) {
    const std::string name = entry.path().filename().string();
    if (entry.path() != store() && !is_copy(name)) {
      names.push_back(name);
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// Finds the stage of the kill before the store is opened and repaired.
void count(const fs::path& store, const std::string& untouched, KillTally& tally) {
  std::error_code none;
  const auto journal = fs::file_size(store.string() + "-journal", none);
  if (!none && journal > 0) {
    ++tally.journal;
  } else {
    ++(contents_of_store(store) == untouched ? tally.before : tally.after);
  }
}

void Struck::strike(const std::string& name, const std::vector<std::string>& arguments, int kills) {
  Striker striker(arguments, repository_.path());
  give_small_cache(kept());
  const std::string untouched = contents_of_store(kept());
  restore();
  const std::string before = contents_when_opened(repository_.path());
  restore();
  ASSERT_EQ(striker.run_freely().exit_code, 0);
  const std::string after = contents_of_store(store());
  const std::vector<std::string> usual = beside();

  KillTally tally;
  while (tally.kills() < kills && !HasFailure()) {
    SCOPED_TRACE(name + ", after " + tally.text());
    restore();
    if (tally.kills() % 10 == 9) {  // the machine may have become busier, or calmer
      striker.run_freely();
      restore();
    }
    const Outcome outcome = striker.strike();
    if (outcome.exit_code != kStoreKilled) {
      EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
      EXPECT_EQ(contents_of_store(store()), after) << "it said that it was done";
      ++tally.too_late;
      continue;
    }
    count(store(), untouched, tally);
    const std::string opened = contents_when_opened(repository_.path());
    EXPECT_TRUE(opened == before || opened == after) << "half of it is visible";
    if (tally.kills() % 2 == 0) {
      continue;
    }
    // The next run does the work and removes what the killed one left.
    EXPECT_EQ(striker.run_once().exit_code, 0);
    EXPECT_EQ(contents_of_store(store()), after);
    EXPECT_EQ(beside(), usual);
  }
  figure("kill -9 of " + name, tally.text());
}

TEST_F(Struck, MergeLeavesAllOrNothing) {
  add_runs(kept(), "here-", 2);
  const fs::path other = repository_.path().parent_path() / "other.db";
  add_runs(other, "there-", 6);
  add_runs(other, "here-1", 1);
  strike("merge", {"merge", other.string()}, tries(3, 500));
}

TEST_F(Struck, PruneLeavesAllOrNothing) {
  add_runs(kept(), "old-", 6);
  strike("prune", {"prune", "--keep-steps", "1d"}, tries(3, 500));
}

TEST_F(Struck, MigrationLeavesAllOrNothing) {
  example::make_older_store(kept(), 8000);
  strike("migration", {"migrate"}, tries(3, 500));
  const fs::path copy = store().string() + ".version-6.bak";
  EXPECT_EQ(contents_of_store(copy), contents_of_store(kept()));
}

}  // namespace
}  // namespace perf::test
