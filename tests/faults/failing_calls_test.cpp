// The Nth write, fsync, open, ... of a command fails: every N, in every command that writes; of the
// longest some.

#include <gtest/gtest.h>

#include <array>
#include <cerrno>

#include "tests/faults/effort.h"
#include "tests/faults/tried_command.h"

namespace perf::test {
namespace {

namespace fs = std::filesystem;

/// A way for a call to fail. EIO is of a moment, a full disk stays full, a quota gives way when
/// another file goes.
struct Way {
  Kind kind;
  int error;  ///< 0: half of it is written, or read
  bool from_there_on = false;
};

/// What a disk does. To read, it fails with EIO alone: none is too full to be read.
std::vector<Way> ways_of_a_disk() {
  std::vector<Way> ways{{kOpen, EIO}, {kRead, EIO}};
  for (const Kind kind : {kWrite, kSync, kCreate, kRename, kMkdir, kTruncate, kUnlink, kClose}) {
    ways.push_back({kind, EIO});
    ways.push_back({kind, ENOSPC, true});
    ways.push_back({kind, EDQUOT});
  }
  return ways;
}

/// What every program has to expect: less was written or read than asked for, or a signal came.
const std::vector<Way> kWaysOfTheSystem{
    {kWrite, 0}, {kWrite, EINTR}, {kCreate, EINTR}, {kRead, 0}, {kRead, EINTR}};

/// Of `count` calls `most`, evenly; 0: all.
bool is_tried(unsigned long long number, unsigned long long count, unsigned long long most) {
  return most == 0 || count <= most || number * most / count != (number - 1) * most / count;
}

bool in_full() {
  return tries(0, 1) == 1;
}

/// Made once: what a command does to it, the next one's preparation undoes.
const MeasuredRepository& repository() {
  static const MeasuredRepository made;
  return made;
}

class FailingCalls : public TriedCommands, public testing::WithParamInterface<std::size_t> {
 protected:
  FailingCalls() : TriedCommands(repository()) {}
  static void SetUpTestSuite() { tallies_.clear(); }
  static void TearDownTestSuite() {
    for (const auto& [what, tally] : tallies_) {
      figure("failing calls: " + what, tally.text());
    }
  }

  /// In full every call in every way, or as many as the command is worth; else one call, in every
  /// `every`th way.
  void try_ways(const std::vector<Way>& ways, std::size_t every) {
    const TriedCommand tried = commands_that_write()[GetParam()];
    const State usual = run_freely(tried);
    if (usual.counts[kOpen] == 0) {
      GTEST_SKIP() << "this machine cannot run " << tried.name;
    }
    for (std::size_t i = 0; i < ways.size(); ++i) {
      if (!in_full() && (i + GetParam()) % every != 0) {
        continue;
      }
      const unsigned long long count = usual.counts[ways[i].kind];
      Tally& tally = tallies_[kKinds[ways[i].kind]];
      for (unsigned long long number = 1; number <= count; ++number) {
        if (in_full() ? is_tried(number, count, tried.at_most)
                      : number == 1 + (i + GetParam()) * 7 % count) {
          run_failing(tried, {ways[i].kind, number, ways[i].error, ways[i].from_there_on, -1},
                      tally);
        }
      }
    }
  }

  static std::map<std::string, Tally> tallies_;
};

std::map<std::string, Tally> FailingCalls::tallies_;

TEST_P(FailingCalls, EndInAMessageOrDoNoHarm) {
  try_ways(ways_of_a_disk(), 12);
}

struct InterruptedCalls : FailingCalls {};

TEST_P(InterruptedCalls, AreRepeated) {
  std::map<std::string, Tally> before = tallies_;
  try_ways(kWaysOfTheSystem, 5);
  for (const auto& [what, tally] : tallies_) {
    EXPECT_EQ(tally.refused, before[what].refused) << what << ": " << tally.first_refused;
  }
}

struct FailingReads : TriedCommands {
  FailingReads() : TriedCommands(repository()) {}

  /// The command's `number`th read of such a file fails.
  void fail(const std::string& command, const std::string& file, unsigned long long number = 1) {
    const std::vector<TriedCommand> all = commands_that_write();
    const auto tried =
        std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.name == command; });
    ASSERT_NE(tried, all.end());
    run_freely(*tried);
    Tally tally;
    run_failing(*tried, {kRead, number, EIO, false, -1, "", file}, tally);
    EXPECT_EQ(tally.refused, 1) << tally.text();
  }
};

TEST_F(FailingReads, OfAnOutputDoNotBlameTheWorkload) {
  for (unsigned long long number = 1; number <= 2; ++number) {
    fail("compare", "steps.jsonl", number);
  }
}

TEST_F(FailingReads, OfAStoreDoNotReportDamage) {
  for (const unsigned long long number : {1, 2, 10}) {
    fail("list", "results.db", number);
  }
  fail("merge", "other.db", 20);
  fail("merge", "copy.db", 30);
}

// One that another program has written to is checked whole, where SQLite itself meets the disk's
// failures and has no other words for them than for damage: of overflow pages and of free ones,
// too.
TEST_F(FailingReads, OfAStoreWrittenByOthersDoNotReportDamage) {
  repository_.restore();
  const Outcome written =
      run({"python3", "-c",
           "import sqlite3; db = sqlite3.connect('other.db', isolation_level=None)\n"
           "db.execute('CREATE TABLE t AS SELECT zeroblob(99999)'); db.execute('DROP TABLE t')\n"
           "db.execute(\"UPDATE output SET stdout = printf('%.40000c', 'x')\")"},
          repository_.path());
  ASSERT_EQ(written.exit_code, 0) << written.err;
  const fs::path kept = repository_.path().parent_path() / "written.db";
  fs::copy_file(repository_.other(), kept, fs::copy_options::overwrite_existing);
  for (const Arguments& command : {Arguments{"list", "--db", "other.db"}, {"merge", "other.db"}}) {
    int refused = 0;
    for (unsigned long long number = 1; number <= 100; number += tries(3, 1)) {
      repository_.restore();
      fs::copy_file(kept, repository_.other(), fs::copy_options::overwrite_existing);
      const Outcome outcome = repository_.perf_compare_in_time(
          command, failures_.arm({kRead, number, EIO, false, -1, "", ".db"}));
      refused += outcome.exit_code == 3 ? 1 : 0;
      EXPECT_TRUE(outcome.exit_code == 0 || outcome.exit_code == 3) << outcome.err;
      for (const char* blame : {"damaged", "not a perf-compare store", "truncated"}) {
        EXPECT_EQ(outcome.err.find(blame), std::string::npos) << number << ": " << outcome.err;
      }
    }
    EXPECT_GT(refused, 10);
  }
}

std::string name_of(const testing::TestParamInfo<std::size_t>& info) {
  std::string name = commands_that_write()[info.param].name;
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

const auto kAll = testing::Range<std::size_t>(0, commands_that_write().size());
INSTANTIATE_TEST_SUITE_P(, FailingCalls, kAll, name_of);
INSTANTIATE_TEST_SUITE_P(, InterruptedCalls, kAll, name_of);

}  // namespace
}  // namespace perf::test
