// A benchmark that lives outside the history, as a user runs and edits it: a config named by
// --config, and a benchmark beside it that the build takes from PERF_COMPARE_CONFIG_DIR.

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "schema/files/content.h"
#include "tests/ci/claimed_benchmark.h"
#include "tests/ci/scratch_repository.h"
#include "tests/contains.h"

namespace perf::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Words = std::vector<std::string>;

const std::string kOutsideBuild =
    R"("build": { "command": ["sh", "-c", "cp \"$PERF_COMPARE_CONFIG_DIR\"/bench.sh bench"] }, )";
const std::string kWorkloads =
    R"("workloads": [ { "name": "claimed", "command": ["sh", "./bench"] } ])";

/// Commits that change nothing, and a benchmark beside them.
struct Beside : ScratchRepository {
  explicit Beside(int count = 2) {
    write("work", "100");
    for (int i = 0; i < count; ++i) {
      write("number", std::to_string(i));
      oids.push_back(commit("Commit " + std::to_string(i)));
    }
    put("perf.json", "{" + kOutsideBuild + kWorkloads + "}");
    put("bench.sh", kClaimedBenchmark);
  }
  fs::path folder() const { return path().parent_path() / "benchmark"; }
  void put(const std::string& name, const std::string& text) const {
    fs::create_directories(folder());
    std::ofstream(folder() / name) << text;
  }
  /// From now on it takes 1.7 times as long.
  void edit() const {
    put("bench.sh", std::regex_replace(kClaimedBenchmark, std::regex("work / 1000"), "work / 588"));
  }
  Outcome ask(Words arguments) const {
    arguments.insert(arguments.end(), {"--config", (folder() / "perf.json").string()});
    return perf_compare(arguments);
  }
  Json json(Words arguments, int expected = 0) const {
    arguments.insert(arguments.end(), {"--json", "-"});
    const Outcome outcome = ask(arguments);
    EXPECT_EQ(outcome.exit_code, expected) << outcome.err;
    return outcome.out.empty() ? Json{} : Json::parse(outcome.out);
  }
  /// By commit of the range: "skipped", or the median.
  std::string collected(const Words& arguments) const {
    std::string text;
    const Json collection = json(arguments);
    for (const Json& commit : collection["commits"]) {
      const Json& workloads = commit["workloads"];
      text += workloads.empty() ? commit["status"].get<std::string>() + " "
              : workloads[0]["step_time"]["median"].get<double>() > 0.15 ? "slow "
                                                                         : "fast ";
    }
    return text;
  }
  std::string range(int from, int to) const { return oids.at(from) + ".." + oids.at(to); }

  std::vector<std::string> oids;
};

std::set<std::string> benchmarks(const Json& series) {
  std::set<std::string> seen;
  for (const Json& one : series) {
    if (one["metric"] == "step_time") {
      seen.insert(one.value("outside", "none"));
    }
  }
  return seen;
}

TEST(Outside, BuildsAndMeasuresAnEditedBenchmarkAgain) {
  const Beside beside;
  EXPECT_TRUE(contains(beside.ask({"HEAD~1", "HEAD", "--pairs", "12"}).err, "building base"));
  EXPECT_TRUE(contains(beside.ask({"HEAD~1", "HEAD", "--pairs", "12"}).err, "is already built"));
  EXPECT_EQ(beside.collected({"collect", "HEAD", "--pairs", "1"}), "fast ");
  beside.edit();
  const Outcome edited = beside.ask({"HEAD~1", "HEAD", "--pairs", "12", "--json", "-"});
  EXPECT_TRUE(contains(edited.err, "building base"));
  EXPECT_FALSE(contains(edited.err, "is already built"));
  EXPECT_TRUE(
      contains(edited.err, "stored values of claimed come from another version of the benchmark"))
      << edited.err;
  EXPECT_TRUE(contains(edited.err, "last changed: bench.sh"));
  const Json report = Json::parse(edited.out);
  EXPECT_EQ(report["warning_details"][0]["kind"], "other_benchmark");
  EXPECT_EQ(beside.collected({"collect", "HEAD", "--pairs", "1"}), "slow ");
  const Outcome again = beside.ask({"HEAD~1", "HEAD", "--pairs", "12"});
  EXPECT_TRUE(contains(again.err, "is already built"));
  EXPECT_FALSE(contains(again.err, "another version of the benchmark"));
}

// How long another benchmark took says nothing of the budget that this one wants.
TEST(Outside, EstimatesTheBudgetFromTheSameBenchmark) {
  const Beside beside;
  beside.put("bench.sh", "sleep 0.2\n" + kClaimedBenchmark);
  const Outcome slow = beside.ask({"HEAD~1", "HEAD", "--measure", "all", "--budget", "700ms"});
  EXPECT_TRUE(contains(slow.err, "that a first look takes"));
  beside.put("bench.sh", kClaimedBenchmark);
  const Outcome quick = beside.ask({"HEAD~1", "HEAD", "--measure", "all", "--budget", "700ms"});
  const std::string before = quick.err.substr(0, quick.err.find("measuring"));
  EXPECT_FALSE(contains(before, "that a first look takes")) << quick.err;
}

TEST(Outside, StartsANewSeriesAfterAnEdit) {
  const Beside beside(24);
  beside.collected({"collect", beside.range(0, 12), "--pairs", "1"});
  beside.edit();
  beside.collected({"collect", beside.range(12, 23), "--pairs", "1"});
  const Json trend = beside.json({"trend", "--fail-on", "new"});
  EXPECT_EQ(trend["alerts"].size(), 0u) << trend["alerts"].dump(1);
  EXPECT_EQ(trend["machine_events"].size(), 0u);
  EXPECT_EQ(benchmarks(trend["series"]).size(), 2u);
  for (const Json& one : trend["series"]) {
    EXPECT_EQ(one["change_points"].size(), 0u) << one["change_points"].dump(1);
    EXPECT_EQ(one["suspects"].size(), 0u);
  }
  EXPECT_TRUE(contains(trend["warnings"].dump(), "no commit is blamed"));
  const std::string words = beside.ask({"trend", "--markdown", "-"}).out;
  EXPECT_TRUE(contains(words, "benchmark " + benchmarks(trend["series"]).begin()->substr(0, 8)));

  // What is missing is what the benchmark of now has not measured.
  EXPECT_EQ(beside.collected({"collect", beside.range(10, 14), "--missing", "--pairs", "1"}),
            "slow slow skipped skipped ");

  // One commit under both, and what a merge makes of it.
  const std::string both = beside.perf_compare({"show", beside.oids[12]}).out;
  EXPECT_TRUE(contains(both, "(benchmark "));
  ASSERT_EQ(beside.perf_compare({"export", "copy.db"}).exit_code, 0);
  ASSERT_EQ(beside.perf_compare({"merge", "copy.db", "--db", "merged.db"}).exit_code, 0);
  EXPECT_EQ(beside.json({"trend", "--db", "merged.db"})["alerts"].size(), 0u);
  EXPECT_EQ(benchmarks(beside.json({"trend", "--db", "merged.db"})["series"]).size(), 2u);
}

TEST(Outside, IgnoresEvidenceOfTheOldBenchmark) {
  const Beside beside;
  beside.ask({"HEAD~1", "HEAD", "--pairs", "20"});
  EXPECT_EQ(beside.ask({"judge", "HEAD~1", "HEAD"}).exit_code, 0);
  beside.ask({"bisect", "HEAD~1", "HEAD", "-w", "claimed", "--budget", "50ms"});
  EXPECT_TRUE(
      contains(beside.ask({"bisect", "HEAD~1", "HEAD", "-w", "claimed", "--budget", "50ms"}).err,
               "continuing"));
  beside.edit();
  EXPECT_FALSE(
      contains(beside.ask({"bisect", "HEAD~1", "HEAD", "-w", "claimed", "--budget", "50ms"}).err,
               "continuing"));
  EXPECT_TRUE(ended(beside.ask({"judge", "HEAD~1", "HEAD"}), 3));
}

TEST(Outside, KeepsTheSeriesWhenAThresholdChanges) {
  const Beside beside;
  beside.collected({"collect", "HEAD", "--pairs", "1"});
  beside.put("perf.json",
             "{" + kOutsideBuild + R"("policy": { "threshold": "3%" }, )" + kWorkloads + "}");
  EXPECT_EQ(beside.collected({"collect", "HEAD", "--pairs", "1", "--missing"}), "skipped ");
  const Outcome outcome = beside.ask({"HEAD~1", "HEAD", "--pairs", "12"});
  EXPECT_TRUE(contains(outcome.err, "head HEAD") && contains(outcome.err, "is already built"))
      << outcome.err;
  EXPECT_FALSE(contains(outcome.err, "another version of the benchmark"));
}

TEST(Outside, BuildsBothSidesByTheGivenConfig) {
  Beside beside(1);
  const std::string log = (beside.folder() / ".." / "built").string();
  const auto build = [&](const std::string& who) {
    return R"("build": { "command": ["sh", "-c", "echo )" + who + " >> " + log + R"("] }, )";
  };
  const std::string command =
      R"("workloads": [ { "name": "claimed", "command": )"
      R"(["sh", "-c", "exec sh \"$PERF_COMPARE_CONFIG_DIR\"/bench.sh"] } ])";
  beside.write("perf-compare.json", "{" + build("commit") + command + "}");
  beside.commit("With a config of its own");
  beside.put("perf.json", "{" + build("file") + command + "}");
  const Json report = beside.json({"HEAD~1", "HEAD", "--pairs", "12"});
  EXPECT_EQ(content_of(log), "file\nfile\n");
  EXPECT_EQ(report["config"]["build"], (beside.folder() / "perf.json").string());
  EXPECT_EQ(report["summary"]["failed"], 0) << "the workload found its folder";
  beside.put("perf.json", R"({"build": "own", )" + command + "}");
  fs::remove(log);
  const Json own = beside.json({"HEAD~1", "HEAD", "--pairs", "12"});
  EXPECT_EQ(content_of(log), "commit\ncommit\n") << "base has none, and takes head's";
  EXPECT_EQ(own["config"]["build"],
            beside.git({"rev-parse", "HEAD"}).substr(0, 12) + ":perf-compare.json");
  EXPECT_TRUE(contains(beside.ask({"HEAD~1", "HEAD", "--pairs", "12", "--markdown", "-"}).out,
                       ":perf-compare.json"));
}

TEST(Outside, LetsDoctorFindItsBuilds) {
  Beside beside(1);
  const auto config = [](const std::string& build) {
    return "{" + build + R"("workloads": [ { "name": "claimed", "command": ["./bench"] } ])" + "}";
  };
  const std::string build =
      R"("build": { "command": ["sh", "-c", "echo : > bench; chmod +x bench"] }, )";
  beside.write("perf-compare.json", config(build));
  beside.oids.push_back(beside.commit("With a config of its own"));
  for (const std::string& one : {build, std::string(R"("build": "own", )")}) {
    beside.put("perf.json", config(one));
    beside.ask({"HEAD~1", "HEAD", "--pairs", "12"});
    std::string said;
    const Json diagnosis = beside.json({"doctor"});
    for (const Json& cause : diagnosis["causes"]) {
      said += cause["code"] == "program" ? cause["what"].get<std::string>() : "";
    }
    EXPECT_TRUE(contains(said, "./bench: is a script")) << one;
  }
}

/// Nobody knows with which benchmark they were measured.
TEST(Outside, KeepsImportedValuesApart) {
  const Beside beside(24);
  beside.put(
      "old.json",
      R"({"benchmarks": [ {"name": "b", "iterations": 1, "real_time": 170, "time_unit": "ms"} ]})");
  for (std::size_t i = 0; i < 12; ++i) {
    const Outcome kept =
        beside.perf_compare({"import", "google-benchmark", (beside.folder() / "old.json").string(),
                             "--rev", beside.oids[i], "--as", "claimed", "--environment", "."});
    ASSERT_EQ(kept.exit_code, 0) << kept.err;
  }
  beside.collected({"collect", beside.range(11, 23), "--pairs", "1"});
  const Json trend = beside.json({"trend", "--fail-on", "new"});
  EXPECT_EQ(trend["alerts"].size(), 0u) << trend["alerts"].dump(1);
  EXPECT_EQ(benchmarks(trend["series"]).size(), 2u);
  EXPECT_EQ(benchmarks(trend["series"]).count("none"), 1u);
  EXPECT_TRUE(contains(trend["warnings"].dump(), "values were imported"));
}

TEST(Outside, BuildsAgainWithRebuild) {
  const Beside beside;
  beside.ask({"HEAD~1", "HEAD", "--pairs", "12"});
  const Outcome outcome = beside.ask({"HEAD~1", "HEAD", "--pairs", "12", "--rebuild"});
  EXPECT_TRUE(contains_all(outcome.err, {"building base", "building head"}));
}

TEST(Outside, RefusesABuildThatChangesIt) {
  const Beside beside;
  beside.put(
      "perf.json",
      R"({"build": { "command": ["sh", "-c", "date >> \"$PERF_COMPARE_CONFIG_DIR\"/log"] }, )" +
          kWorkloads + "}");
  EXPECT_TRUE(ended(beside.ask({"HEAD~1", "HEAD", "--pairs", "12"}), 3,
                    {"changed during the measurement"}));
}

}  // namespace
}  // namespace perf::test
