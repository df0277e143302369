// kill -9 of a measuring command: everything it reported as stored is complete, its processes end,
// and the next run can use the cache.

#include <gtest/gtest.h>

#include "schema/store/store.h"
#include "tests/collector/process/processes.h"
#include "tests/faults/brief_repository.h"
#include "tests/faults/effort.h"
#include "tests/faults/kill_tally.h"
#include "tests/faults/store_work.h"
#include "tests/faults/striker.h"
#include "tests/schema/store/example.h"

namespace perf::test {
namespace {

namespace fs = std::filesystem;

constexpr int kKilled = 128 + SIGKILL;
constexpr int kRuns = 20;  ///< in a store, before a new one is begun

/// With --verbose, a process is printed after it is stored.
int told_of(const std::string& err) {
  int lines = 0;
  for (std::size_t at = err.find(", pair "); at != std::string::npos;
       at = err.find(", pair ", at + 1)) {
    ++lines;
  }
  return lines;
}

class KilledCollector : public ::testing::Test {
 protected:
  /// Measures with these arguments, killed `kills` times; `from_scratch`: without builds.
  void strike(const std::string& name, const std::vector<std::string>& arguments, int kills,
              bool from_scratch);

  BriefRepository repository_{2};

 private:
  using Runs = std::map<std::string, std::string>;

  void expect_stored(const Outcome& outcome, KillTally& tally);
  void expect_tidy() const;
  /// The next run succeeds and removes what killed runs left.
  void go_on(Striker& striker);
  /// Begins a new store.
  void forget_runs();

  Runs known_;  ///< everything in the store, by run
};

/// Earlier runs are unchanged, and the last one has everything that was printed.
void KilledCollector::expect_stored(const Outcome& outcome, KillTally& tally) {
  std::error_code none;
  const auto journal = fs::file_size(repository_.store().string() + "-journal", none);
  const bool half_done = !none && journal > 0;
  const std::size_t known = known_.size();
  std::size_t invocations = 0;
  if (fs::exists(repository_.store())) {
    const Store store(repository_.store());
    EXPECT_EQ(store.problems(), std::vector<std::string>{});
    for (const std::string& id : store.run_ids({})) {
      const Measurements history = store.load(id);
      const auto [run, fresh] = known_.emplace(id, example::dump(history));
      EXPECT_EQ(run->second, example::dump(history));
      if (!fresh) {
        continue;
      }
      invocations += history.invocations.size();
      for (const Invocation& invocation : history.invocations) {
        repository_.expect_whole(invocation, invocation.side == Side::base ? 0 : 1);
      }
      EXPECT_TRUE(outcome.exit_code != 0 || store.load_report(id)) << "it is finished";
    }
  }
  EXPECT_LE(known_.size(), known + 1);
  EXPECT_GE(invocations, static_cast<std::size_t>(told_of(outcome.err))) << outcome.err;
  if (outcome.exit_code != kKilled) {
    ++tally.too_late;
  } else {
    ++(half_done ? tally.journal : known_.size() > known ? tally.after : tally.before);
  }
}

void KilledCollector::forget_runs() {
  fs::remove_all(repository_.store().parent_path());
  known_.clear();
  { const Store store(repository_.store()); }
  give_small_cache(repository_.store());
}

/// Only files that a run needs are left.
void KilledCollector::expect_tidy() const {
  EXPECT_TRUE(fs::is_empty(repository_.temporary()));
  std::set<std::string> builds;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(repository_.cache() / "perf-compare")) {
    const std::string name = entry.path().filename().string();
    if (name == "host") {  // the id of this host stays
      continue;
    }
    EXPECT_TRUE(name.size() == 33 || name.substr(33) == ".lock") << name;
    builds.insert(name.substr(0, 33));
  }
  EXPECT_LE(builds.size(), 2u);
}

void KilledCollector::go_on(Striker& striker) {
  const Outcome next = striker.run_once();
  EXPECT_EQ(next.exit_code, 0) << next.err;
  KillTally ignored;
  expect_stored(next, ignored);
  expect_tidy();
  forget_runs();
}

void KilledCollector::strike(const std::string& name, const std::vector<std::string>& arguments,
                             int kills, bool from_scratch) {
  Striker striker(arguments, repository_.path(), {{"TMPDIR", repository_.temporary().string()}});
  const auto learn_life = [&] {
    if (from_scratch) {
      fs::remove_all(repository_.cache());
    }
    EXPECT_EQ(striker.run_freely().exit_code, 0);
    forget_runs();
  };
  forget_runs();
  learn_life();
  KillTally tally;
  for (int blow = 1; tally.kills() < kills && !HasFailure(); ++blow) {
    SCOPED_TRACE(name + ", after " + tally.text());
    if (from_scratch && blow % 4 != 0)  // else it finds what a dead one left
    {
      fs::remove_all(repository_.cache());
    }
    const Outcome outcome = striker.strike();
    EXPECT_TRUE(outcome.exit_code == 0 || outcome.exit_code == kKilled) << outcome.err;
    EXPECT_EQ(testing::wait_for_marked(repository_.marker(), 0), 0) << "they outlived the tool";
    expect_stored(outcome, tally);
    if (blow % kRuns != 0) {
      continue;
    }
    go_on(striker);
    learn_life();
  }
  go_on(striker);
  figure("kill -9 of " + name, tally.text());
}

TEST_F(KilledCollector, KeepsWhatCollectReported) {
  strike("collect", {"collect", "HEAD", "--pairs", "4", "-v"}, tries(3, 200), false);
}

TEST_F(KilledCollector, KeepsWhatCollectReportedWhileBuilding) {
  strike("collect with its build", {"collect", "HEAD", "--pairs", "2", "-v"}, tries(2, 150), true);
}

TEST_F(KilledCollector, KeepsWhatAComparisonReported) {
  strike("a comparison", {"HEAD~1", "HEAD", "--budget", "60ms", "-v"}, tries(2, 150), false);
}

}  // namespace
}  // namespace perf::test
