// `perf-compare push`, `pull` and `sync`, as several machines run them.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "collector/hub/hub.h"
#include "schema/files/content.h"
#include "tests/ci/hub_team.h"

namespace perf::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

class AnyHub : public testing::TestWithParam<const char*> {};

TEST_P(AnyHub, CarriesRunsFromOneMachineToAnother) {
  const Team team;
  const std::string hub = team.hub(GetParam()), said = shown_hub(hub);
  ASSERT_EQ(team.at("ada", {"collect", "HEAD", "--pairs", "1"}).exit_code, 0);
  ASSERT_EQ(team.at("bob", {"collect", "HEAD~1", "--pairs", "1"}).exit_code, 0);
  const Outcome first = team.at("ada", {"sync", hub});
  EXPECT_EQ(first.exit_code, 0) << first.err;
  expect_says(first.out, said + ": pulled 0 runs\n" + said + ": pushed 1 run (");
  const Outcome second = team.at("bob", {"sync", hub});
  expect_says(second.out, said + ": pulled 1 run\n" + said + ": pushed 1 run (");
  EXPECT_EQ(team.at("ada", {"pull", hub}).out, said + ": pulled 1 run\n");
  EXPECT_EQ(team.runs("ada"), 2U);
  EXPECT_EQ(team.runs("bob"), 2U);
  EXPECT_EQ(team.at("ada", {"sync", hub}).out,
            said + ": pulled 0 runs\n" + said + ": pushed 0 runs\n");
}

TEST_P(AnyHub, SynchronizesAroundACommandWithHub) {
  const Team team;
  const std::string hub = team.hub(GetParam());
  const Outcome collected =
      team.at("ada", {"collect", "HEAD", "--pairs", "1", "--hub", hub, "--json", "-"});
  EXPECT_EQ(collected.exit_code, 0) << collected.err;
  EXPECT_TRUE(Json::accept(collected.out)) << collected.out;
  expect_says(collected.err, "pushed 1 run");
  const bool has_tables = std::string(GetParam()) == "postgres";
  if (has_tables) {  // which are read where they are
    EXPECT_EQ(team.perf_compare({"hub", "index", hub}).exit_code, 0);
  }
  const Outcome trend = team.at("bob", {"trend", "--hub", hub});
  EXPECT_EQ(trend.exit_code, 0) << trend.err;
  expect_says(has_tables ? trend.out : trend.err,
              has_tables ? "1 of 3 commits measured" : "pulled 1 run");
  // What is there already is not measured again.
  EXPECT_TRUE(ended(
      team.at("bob", {"collect", "HEAD~1..HEAD", "--missing", "--pairs", "1", "--hub", hub}), 0));
  EXPECT_EQ(team.runs("bob"), 1U);
}

TEST_P(AnyHub, LosesOldMonthsWhenPruned) {
  const Team team;
  const std::string hub = team.hub(GetParam()), said = shown_hub(hub);
  ASSERT_EQ(team.at("ada", {"collect", "HEAD", "--pairs", "1", "--hub", hub}).exit_code, 0);
  EXPECT_EQ(team.at("ada", {"prune", hub}).exit_code, 2);
  EXPECT_EQ(team.at("ada", {"prune", hub, "--keep-months", "1"}).out,
            said + ": removed 0 payloads of 0 months\n");
  team.make_old();
  const Outcome dry = team.at("ada", {"prune", hub, "--keep-months", "12", "--dry-run"});
  EXPECT_EQ(dry.out, said + ": would remove 1 payload of 1 month\n") << dry.err;
  EXPECT_EQ(team.at("bob", {"pull", hub}).out, said + ": pulled 1 run\n");
  EXPECT_EQ(team.at("ada", {"prune", hub, "--keep-months", "12"}).out,
            said + ": removed 1 payload of 1 month\n");
  EXPECT_EQ(team.at("cy", {"pull", hub}).out, said + ": pulled 0 runs\n");
  EXPECT_EQ(team.at("ada", {"push", hub}).out, said + ": pushed 0 runs\n");
}

TEST_P(AnyHub, IsFilledAgainWhenItWasMadeAnew) {
  const Team team;
  const std::string hub = team.hub(GetParam()), said = shown_hub(hub);
  for (const char* machine : {"ada", "bob"}) {
    ASSERT_EQ(team.at(machine, {"collect", "HEAD", "--pairs", "1", "--hub", hub}).exit_code, 0);
  }
  team.make_hub_anew();
  expect_says(team.at("ada", {"push", hub}).out, said + ": pushed 1 run (");
  expect_says(team.at("bob", {"push", hub}).out, said + ": pushed 2 runs (");
  EXPECT_EQ(team.at("bob", {"push", hub}).out, said + ": pushed 0 runs\n");
  EXPECT_EQ(team.at("cy", {"pull", hub}).out, said + ": pulled 2 runs\n");
}

#ifdef PERF_COMPARE_LIBPQ
INSTANTIATE_TEST_SUITE_P(Kinds, AnyHub, testing::Values("git", "dir", "postgres"));
#else
INSTANTIATE_TEST_SUITE_P(Kinds, AnyHub, testing::Values("git", "dir"));
#endif

TEST(HubCommand, TakesTheAddressFromTheConfig) {
  const Team team;
  EXPECT_EQ(team.at("ada", {"push"}).exit_code, 2);
  std::string config = content_of(team.path() / "perf-compare.json");
  config.insert(config.find('{') + 1, "\"hub\": \"dir:" + team.shared().string() + "\",");
  std::ofstream(team.path() / "perf-compare.json") << config;
  ASSERT_EQ(team.at("ada", {"collect", "HEAD", "--pairs", "1"}).exit_code, 0);
  const Outcome untrusted = team.at("ada", {"push"});
  EXPECT_EQ(untrusted.exit_code, 2);
  expect_says(untrusted.err, "not trusted on this machine: dir:" + team.shared().string());
  expect_says(untrusted.err, "hint: perf-compare hub trust");
  EXPECT_TRUE(fs::is_empty(team.shared()));
  const Outcome trusted = team.perf_compare({"hub", "trust"});
  EXPECT_EQ(trusted.exit_code, 0) << trusted.err;
  expect_says(trusted.out, "dir:" + team.shared().string() + ": trusted; recorded in ");
  const Outcome pushed = team.at("ada", {"push", "--writer", "nightly-amd64"});
  expect_says(pushed.out, "pushed 1 run");
  EXPECT_TRUE(fs::exists(team.shared() / "runs/nightly-amd64")) << pushed.err;
  EXPECT_EQ(team.at("ada", {"push", "--writer", "../x"}).exit_code, 2);
}

// A folder that anybody may write to: what is not sound is named, the rest is taken.
TEST(HubCommand, NamesForeignPayloadsItRefuses) {
  const Team team;
  const std::string hub = team.hub("dir");
  ASSERT_EQ(team.at("ada", {"collect", "HEAD", "--pairs", "1", "--hub", hub}).exit_code, 0);
  fs::path file;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(team.shared())) {
    file = entry.is_regular_file() ? entry.path() : file;
  }
  const fs::path evil = team.shared() / "runs/eve/2026-01";
  fs::create_directories(evil);
  const std::string digest(32, 'a');
  fs::copy_file(file, evil / ("forged-" + digest + ".zst"));
  std::ofstream(evil / ("cut-" + digest + ".zst")) << content_of(file).substr(0, 1000);
  std::ofstream(evil / "notes.txt") << "hello";
  // Of two copies of a payload the first one is damaged.
  fs::create_directories(team.shared() / "runs/0/2026-01");
  std::ofstream(team.shared() / "runs/0/2026-01" / file.filename()) << "cut";
  const Outcome pulled = team.at("bob", {"pull", hub});
  EXPECT_EQ(pulled.exit_code, 3);
  EXPECT_EQ(pulled.out, hub + ": pulled 1 run\n");
  for (const std::string& name : {std::string("forged-"), std::string("cut-"), file.stem().string(),
                                  std::string("eve/2026-01/notes.txt")}) {
    expect_says(pulled.err, name);
  }
  EXPECT_EQ(team.runs("bob"), 1U);
}

TEST(HubCommand, LosesNothingIfTheHubFails) {
  const Team team;
  fs::rename(team.remote(), team.remote().string() + ".away");
  EXPECT_TRUE(ended(team.at("ada", {"collect", "HEAD", "--pairs", "1", "--hub", "git:origin"}), 3,
                    {"cannot reach the hub", "git ls-remote"}));
  EXPECT_EQ(team.runs("ada"), 1U);
  EXPECT_EQ(team.at("ada", {"push", "git:origin"}).exit_code, 3);
  fs::rename(team.remote().string() + ".away", team.remote());
  expect_says(team.at("ada", {"push", "git:origin"}).out, "pushed 1 run");
  EXPECT_EQ(team.at("bob", {"pull", "svn:origin"}).exit_code, 2);
}

TEST(HubCommand, KeepsSeriesOfPoolsApart) {
  const Team team;
  for (const char* pool : {"amd", "arm"}) {
    ASSERT_EQ(team.at("ada", {"collect", "HEAD", "--pairs", "1", "--pool", pool}).exit_code, 0);
  }
  const Json trend = Json::parse(team.at("ada", {"trend", "--json", "-"}).out);
  std::set<std::string> machines;
  for (const Json& series : trend.at("series")) {
    machines.insert(series.at("environment"));
  }
  EXPECT_EQ(machines.size(), 2U);
}

TEST(HubCommand, ExportsOneRun) {
  const Team team;
  ASSERT_EQ(team.at("ada", {"collect", "HEAD~1..HEAD", "--pairs", "1"}).exit_code, 0);
  ASSERT_EQ(team.at("ada", {"collect", "HEAD~1", "--pairs", "1"}).exit_code, 0);
  const std::string id =
      Json::parse(team.at("ada", {"list", "--json", "-"}).out).at("runs").at(0).at("id");
  const std::string file = team.store("one");
  const Outcome exported = team.at("ada", {"export", "--run", id.substr(0, 8), file});
  EXPECT_EQ(exported.exit_code, 0) << exported.err;
  expect_says(exported.out, "; 1 run, ");
  EXPECT_EQ(team.runs("one"), 1U);
  EXPECT_EQ(team.at("ada", {"export", "--run", "zzz", team.store("none")}).exit_code, 2);
}

TEST(HubCommand, ServesANightlyJob) {
  const Team team;
  for (const char* machine : {"ada", "bob"}) {
    const Outcome night = run({PERF_SOURCE_DIR "/ci/nightly", team.store(machine),
                               (team.path().parent_path() / "reports").string(), "--pairs", "1",
                               "--back", "0", "--hub", "git:origin", "--writer", machine},
                              team.path(),
                              {{"PERF_COMPARE", PERF_BINARY_DIR "/bin/perf-compare"},
                               {"XDG_CACHE_HOME", (team.path().parent_path() / machine).string()}});
    EXPECT_EQ(night.exit_code, 0) << night.err;
    expect_says(night.err, "pushed 1 run");
    fs::remove_all(team.path() / ".perf-compare");
  }
  EXPECT_EQ(team.runs("ada"), 1U);
  EXPECT_EQ(team.runs("bob"), 2U);
}

}  // namespace
}  // namespace perf::test
