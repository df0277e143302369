// `perf-compare merge`, `export`, `prune` and `pins`, as a user runs them.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "schema/files/content.h"
#include "tests/ci/claimed_history.h"
#include "tests/ci/scratch_repository.h"

namespace perf::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// Three commits whose benchmark claims 100, 130 and 101 ms.
struct KeptHistory : ClaimedHistory {
  fs::path store() const { return path() / ".perf-compare" / "results.db"; }
};

// It may be what a full disk left of a history; it may be a store that was killed in the making.
TEST(StoreKeeping, ReportsAnEmptyStore) {
  const KeptHistory repository;
  EXPECT_FALSE(contains(repository.perf_compare({"list"}).err, "0 bytes"));
  fs::create_directory(repository.store().parent_path());
  std::ofstream(repository.store()).close();
  for (int time = 0; time < 2; ++time) {
    const Outcome listed = repository.perf_compare({"list"});
    EXPECT_EQ(listed.exit_code, 0) << listed.err;
    const bool told =
        listed.err.find("results.db is empty and becomes a new store") != std::string::npos;
    EXPECT_EQ(told, fs::file_size(repository.store()) == 0 || time == 0) << listed.err;
  }
}

TEST(StoreKeeping, MergesRunsOfTwoMachines) {
  const KeptHistory repository;
  const std::string first = (repository.path() / "first.db").string();
  const std::string second = (repository.path() / "second.db").string();
  ASSERT_EQ(repository.perf_compare({"HEAD~2", "HEAD~1", "--pairs", "12", "--db", first}).exit_code,
            1);
  ASSERT_EQ(repository.perf_compare({"HEAD~1", "HEAD", "--pairs", "12", "--db", second}).exit_code,
            0);
  ASSERT_EQ(repository.perf_compare({"pin", "release", "HEAD", "--db", second}).exit_code, 0);

  const Outcome merged = repository.perf_compare({"merge", first, second});
  ASSERT_EQ(merged.exit_code, 0) << merged.err;
  expect_says(merged.out, "first.db: merged 1 run; 0 runs were known already\n");
  expect_says(merged.out, "second.db: merged 1 run; 0 runs were known already\n");
  expect_says(merged.out, "its pin is not merged");
  expect_says(merged.out, "    release  " + repository.perf_compare({"pins", "--db", second})
                                                .out.substr(std::string("release  ").size(), 40));
  EXPECT_EQ(repository.perf_compare({"pins"}).out, "");
  const std::string log = repository.perf_compare({"pins", "--log", "--db", second}).out;
  for (int time = 0; time < 2; ++time) {
    const Outcome with_pins = repository.perf_compare({"merge", second, "--pins"});
    EXPECT_FALSE(contains(with_pins.out, "not merged"));
    EXPECT_EQ(repository.perf_compare({"pins", "--log"}).out, log);
  }

  // Verdicts of runs that another store measured.
  EXPECT_EQ(repository.perf_compare({"judge", "HEAD~2", "HEAD~1"}).exit_code, 1);
  const Json better = repository.json({"judge", "HEAD~1", "HEAD", "--metric", "step_time"});
  EXPECT_EQ(better.at("summary").at("verdict"), "improved");

  const std::string once = content_of(repository.store());
  const Outcome again = repository.perf_compare({"merge", second, first});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  expect_says(again.out, "merged 0 runs; 1 run was known already");
}

TEST(StoreKeeping, KeepsFilesMergedBeforeAnInvalidOne) {
  const KeptHistory repository;
  const fs::path good = repository.path() / "good.db";
  ASSERT_EQ(repository.perf_compare({"HEAD~2", "HEAD~1", "--budget", "20ms", "--db", good.string()})
                .exit_code,
            0);
  std::string text = content_of(good);
  text[100] = '\x7f';  // the kind of the first page
  std::ofstream(repository.path() / "bad.db", std::ios::binary) << text;
  const Outcome outcome = repository.perf_compare({"merge", "good.db", "bad.db", "good.db"});
  EXPECT_EQ(outcome.exit_code, 3);
  expect_says(outcome.out, "good.db: merged 1 run");
  expect_says(outcome.err, "bad.db");
  std::ofstream(repository.path() / "text.db") << "no store";
  const Outcome text_file = repository.perf_compare({"merge", "text.db"});
  expect_says(text_file.err, "text.db");
  EXPECT_FALSE(contains(text_file.err, "--db FILE"));
  expect_says(outcome.err, "1 file was merged, after it 1 file was not read");
  expect_says(repository.perf_compare({"merge", "good.db"}).out, "1 run was known already");

  const Outcome missing = repository.perf_compare({"merge", "good.db", "nowhere.db"});
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_EQ(missing.out, "") << "nothing is taken before all are known to be there";
  EXPECT_EQ(repository.perf_compare({"merge", repository.store().string()}).exit_code, 2);
  EXPECT_EQ(repository.perf_compare({"merge"}).exit_code, 2);
}

TEST(StoreKeeping, ExportsAStore) {
  const KeptHistory repository;
  EXPECT_EQ(repository.perf_compare({"export", "copy.db"}).exit_code, 3) << "no store yet";
  ASSERT_EQ(repository.perf_compare({"HEAD~2", "HEAD~1", "--pairs", "12"}).exit_code, 1);
  const Outcome exported = repository.perf_compare({"export", "copy.db"});
  ASSERT_TRUE(ended(exported, 0));
  EXPECT_TRUE(contains_all(exported.out, {"copy.db: ", "; 1 run, 2 commits, "}));
  EXPECT_EQ(repository.perf_compare({"judge", "HEAD~2", "HEAD~1", "--db", "copy.db"}).exit_code, 1);
  EXPECT_TRUE(ended(repository.perf_compare({"export", "copy.db"}), 2, {"does not overwrite"}));
}

TEST(StoreKeeping, KeepsVerdictsOfPrunedRuns) {
  KeptHistory repository;
  ASSERT_EQ(repository.perf_compare({"HEAD~2", "HEAD~1", "--pairs", "12"}).exit_code, 1);
  ASSERT_EQ(repository.perf_compare({"HEAD~1", "HEAD", "--pairs", "12"}).exit_code, 0);
  EXPECT_EQ(repository.perf_compare({"prune"}).out.substr(0, 38),
            "removed 0 raw steps and 0 phases of 0 ")
      << "everything is younger than 90 days";
  repository.git({"tag", "v1", "HEAD~2"});
  repository.write("perf-compare.json",
                   R"({"baselines": {"release": "v1"},
                       "workloads": [{"name": "claimed", "command": ["./bench"]}]})");
  // A run of this very second is not older than now.
  const std::vector<std::string> ask{"prune", "--keep-steps", "0s", "--dry-run"};
  for (int tries = 0; tries < 1000 && repository.perf_compare(ask).out.find(
                                          "kept those of 1 run") == std::string::npos;
       ++tries) {
  }
  const Outcome dry = repository.perf_compare(ask);
  expect_says(dry.out, "would remove ");
  expect_says(dry.out, "kept those of 1 run of that age: 1 at a pinned commit, 0 beside a change");
  const Outcome pruned = repository.perf_compare({"prune", "--keep-steps", "0s"});
  ASSERT_TRUE(ended(pruned, 0));
  EXPECT_TRUE(contains_all(pruned.out, {" of 1 run\n", "; summaries are kept"}));

  EXPECT_EQ(repository.perf_compare({"judge", "HEAD~2", "HEAD~1"}).exit_code, 1);
  const Json stored = repository.json({"judge", "HEAD~1", "HEAD", "--metric", "step_time"});
  EXPECT_EQ(stored.at("summary").at("verdict"), "improved");

  // A baseline that does not resolve may be the very one whose steps must stay.
  repository.git({"tag", "-d", "v1"});
  EXPECT_EQ(repository.perf_compare({"prune", "--keep-steps", "0s"}).exit_code, 2);
}

TEST(Pins, ShowTheirPreviousCommitAndLog) {
  KeptHistory repository;
  EXPECT_EQ(repository.perf_compare({"pins", "--log"}).out, "");
  const std::string first = repository.git({"rev-parse", "HEAD~1"});
  const std::string second = repository.git({"rev-parse", "HEAD"});
  ASSERT_EQ(
      repository.perf_compare({"pin", "release", "HEAD~1", "--reason", "v1 shipped"}).exit_code, 0);
  const Outcome moved = repository.perf_compare({"pin", "release"});
  EXPECT_TRUE(contains_all(
      moved.out, {"pinned release at " + second, "was " + first + " since 20", "v1 shipped"}));
  ASSERT_EQ(repository.perf_compare({"unpin", "release", "--reason", "withdrawn"}).exit_code, 0);
  EXPECT_EQ(repository.perf_compare({"pins"}).out, "");
  const std::string log = repository.perf_compare({"pins", "--log"}).out;
  const std::size_t pinned = log.find("  pin     release  " + first + "  v1 shipped\n");
  const std::size_t again = log.find("  pin     release  " + second + "\n");
  const std::size_t unpinned = log.find("  unpin   release  " + second + "  withdrawn\n");
  ASSERT_NE(unpinned, std::string::npos) << log;
  EXPECT_LT(pinned, again);
  EXPECT_LT(again, unpinned);
  // A commit on top moves no pin.
  ASSERT_EQ(repository.perf_compare({"pin", "release"}).exit_code, 0);
  repository.commit("On top");
  expect_says(repository.perf_compare({"pins"}).out, "release  " + second);
}

TEST(Pins, AreListedWithoutMakingAStore) {
  const KeptHistory repository;
  const Outcome none = repository.perf_compare({"pins"});
  EXPECT_EQ(none.exit_code, 0);
  EXPECT_EQ(none.out, "");
  expect_says(none.err, "no baselines");
  const Outcome absent = repository.perf_compare({"pins", "--db", "absent.db"});
  EXPECT_EQ(absent.exit_code, 3);
  EXPECT_FALSE(fs::exists(repository.path() / "absent.db"));
  EXPECT_EQ(repository.perf_compare({"export", "-"}).exit_code, 2);
  EXPECT_FALSE(fs::exists(repository.path() / "-"));
}

TEST(Pins, IncludeBaselinesOfTheConfig) {
  KeptHistory repository;
  const std::string first = repository.git({"rev-parse", "HEAD~2"});
  const std::string last = repository.git({"rev-parse", "HEAD"});
  repository.git({"tag", "v1", "HEAD~2"});
  repository.write("perf-compare.json",
                   R"({"baselines": {"release": "v1", "lost": "v9"},
                       "workloads": [{"name": "claimed", "command": ["./bench"]}]})");
  const std::string listed = repository.perf_compare({"pins"}).out;
  expect_says(listed, "release  " + first + "  (config)  v1\n");
  expect_says(listed, "lost  does not resolve  (config)  v9\n");
  const Json slower = repository.json({"release", "HEAD~1", "--pairs", "12"}, 1);
  EXPECT_EQ(slower.at("base").at("oid"), first);
  EXPECT_EQ(slower.at("base").at("rule"), "baseline release of the config: v1");

  // The store wins, and says so.
  ASSERT_EQ(repository.perf_compare({"pin", "release", "HEAD"}).exit_code, 0);
  const std::string both = repository.perf_compare({"pins"}).out;
  expect_says(both, "release  " + last + "  20");
  expect_says(both, "release  " + first + "  (config)  v1, hidden by the pin of this name\n");
  EXPECT_EQ(Json::parse(repository.perf_compare({"judge", "release", "HEAD~1", "--json", "-"}).out)
                .at("base")
                .at("oid"),
            last);
}

}  // namespace
}  // namespace perf::test
