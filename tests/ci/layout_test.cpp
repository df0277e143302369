// Layout effects and profiles as a user sees them: real builds and processes on scratch
// repositories whose benchmark claims its times, so that they do not depend on the machine.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "schema/files/content.h"
#include "tests/ci/claimed_benchmark.h"
#include "tests/ci/scratch_repository.h"

namespace perf::test {
namespace {

using Json = nlohmann::json;

/// A program whose hot function `work` is alone in its file, and that claims a time per step in ms
/// by CLAIM, an expression; `at` is where `work` lies, in units of 16 bytes. It works as long as
/// sampling it takes, or hardly at all.
std::string bench(const std::string& claim, const std::string& work = "20000000") {
  return R"(#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
double work(long n);
int main(void) {
  const uintptr_t at = (uintptr_t)work >> 4;
  const double unused = work()" +
         work + R"();
  srand((unsigned)(atol(getenv("PERF_COMPARE_SEED")) + getpid()));
  const int steps = atoi(getenv("PERF_COMPARE_STEPS"));
  FILE* out = fopen(getenv("PERF_COMPARE_OUT"), "w");
  fprintf(out, "{\"type\":\"begin\",\"protocol\":1,\"workload\":\"w\",\"params\":{\"n\":%d}}\n", unused < 0);
  for (int i = 0; i < steps; ++i)
    fprintf(out, "{\"type\":\"step\",\"index\":%d,\"warmup\":false,\"seconds\":%.9f}\n", i,
            ()" +
         claim +
         R"() * 1e-3 * (1 + 0.01 * rand() / RAND_MAX) + 0 * (double)at);
  fputs("{\"type\":\"end\"}\n", out);
  return fclose(out);
}
)";
}

constexpr const char* kWork = R"(
__attribute__((aligned(16))) double work(long n) {
  double sum = 1;
  for (long i = 0; i < n; ++i) sum = sum * 0.5 + 1.0;
  return sum;
}
)";

/// 16 bytes of code that never run.
constexpr const char* kAside =
    "__attribute__((aligned(16))) int aside(int n) { return n * 3 + 1; }\n";

/// Compiles what is not compiled, then links in this order, with 16 bytes of padding for odd seeds.
std::string build_script(const std::string& order, bool honours_the_seed = true) {
  return R"(set -e
for name in bench work aside; do
  [ -e $name.o ] || gcc -O1 -c $name.c
done
seed=)" + std::string(honours_the_seed ? "${PERF_COMPARE_LAYOUT_SEED:-0}" : "0") +
         R"(
echo "__asm__(\".skip $((seed % 2 * 16)), 0x90\");" > padding.c
gcc -c padding.c
gcc -o bench padding.o )" +
         order + "\n";
}

constexpr const char* kConfig = R"({
  "build": { "command": ["sh", "build.sh"] },
  "workloads": [ { "name": "w", "command": ["./bench"] } ]
})";

constexpr const char* kHardlyAny = "2000";

/// The time goes by which half of 32 bytes the hot function begins in.
constexpr const char* kByPlace = "at % 2 == 0 ? 100 : 118";

struct Layout : ::testing::Test {
  void SetUp() override {
    // perf takes files of folders that begin with /tmp/perf- for maps of just-in-time compilers.
    setenv("TMPDIR", "/var/tmp", 1);
    repository = std::make_unique<ScratchRepository>();
    unsetenv("TMPDIR");
    repository->write("perf-compare.json", kConfig);
    repository->write(".gitignore", "*.o\n/bench\npadding.c\n");
    repository->write("bench.c", bench(kByPlace));
    repository->write("work.c", kWork);
    repository->write("aside.c", kAside);
    repository->write("build.sh", build_script("bench.o work.o aside.o"));
    repository->commit("Add a benchmark");
  }
  /// Moves the hot function by 16 bytes.
  void move_work(bool honours_the_seed = true) {
    repository->write("build.sh", build_script("bench.o aside.o work.o", honours_the_seed));
  }
  /// The row of the time; the comparison must flag it.
  Json compare(const std::vector<std::string>& more = {}) {
    const Json row = measure(more);
    EXPECT_TRUE(is_flagged(row)) << row.dump(1) << outcome.err;
    return row;
  }
  static bool is_flagged(const Json& row) {
    return row.is_object() && (row.at("verdict") == "regressed" || row.at("verdict") == "improved");
  }
  /// The same, whatever its verdict.
  Json measure(const std::vector<std::string>& more) {
    const std::string file = (repository->path().parent_path() / "report.json").string();
    std::vector<std::string> arguments{"HEAD~1", "HEAD", "--json", file, "-v"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    outcome = repository->perf_compare(arguments);
    if (outcome.exit_code != 0 && outcome.exit_code != 1) {
      ADD_FAILURE() << outcome.err;
      return {};
    }
    report = Json::parse(content_of(file));
    for (const Json& row : report.at("comparisons")) {
      if (row.at("metric") == "step_time") {
        return row;
      }
    }
    ADD_FAILURE() << outcome.out;
    return {};
  }
  std::string notes(const Json& row) { return row.at("notes").dump(); }

  /// Commits a move of the hot function whose builds with a seed begin with `with_seed`, and all
  /// with `always`. Its steps are short, so that the budget is for the builds.
  void commit_a_move(const std::string& with_seed, const std::string& always = {}) {
    repository->write("bench.c", bench(kByPlace, kHardlyAny));
    const std::string begin =
        always + "if [ -n \"$PERF_COMPARE_LAYOUT_SEED\" ]; then " + with_seed + "; fi\n";
    repository->write("build.sh", begin + build_script("bench.o work.o aside.o"));
    repository->commit("Build in another way");
    repository->write("build.sh", begin + build_script("bench.o aside.o work.o"));
    repository->commit("Link in another order");
  }
  /// A file that a build may make.
  std::filesystem::path mark() const { return repository->path().parent_path() / "mark"; }

  std::unique_ptr<ScratchRepository> repository;
  Outcome outcome;
  Json report;
};

TEST_F(Layout, LabelsAChangeThatGoesAwayWithAnotherLayout) {
  commit_a_move(":");
  const Json row = compare();
  ASSERT_TRUE(row["layout"].is_object()) << row.dump(1) << outcome.err;
  EXPECT_EQ(row["layout"]["label"], "layout effect");
  EXPECT_EQ(row["layout"]["builds"], 12);
  EXPECT_LE(row["layout"]["interval"][0], 0);
  EXPECT_GE(row["layout"]["interval"][1], 0);
  const bool slower = row["verdict"] == "regressed";
  EXPECT_EQ(outcome.exit_code, slower ? 1 : 0) << "the label informs, the exit code stays";
  EXPECT_EQ(row["pairs"], 12) << "relinked builds are not judged";
  EXPECT_NE(outcome.out.find("layout effect: the hot code is the same at base and head"),
            std::string::npos)
      << outcome.out << outcome.err;
}

TEST_F(Layout, ComparesTheHotFunctionsOfAProgramThatGrew) {
  move_work();
  repository->commit("Link in another order");
  repository->write("aside.c", std::string(kAside) +
                                   "__attribute__((aligned(16))) int more(int n) { return n; }\n");
  repository->commit("Add a function");
  const Json row = compare();
  if (outcome.err.find("the hot code is unknown: perf ") != std::string::npos) {
    GTEST_SKIP() << outcome.err;
  }
  ASSERT_TRUE(row["layout"].is_object()) << row.dump(1) << outcome.err;
  EXPECT_EQ(row["layout"]["label"], "layout effect");
}

TEST_F(Layout, DoesNotLabelChangedCode) {
  std::string work = kWork;
  work.replace(work.find("0.5"), 3, "0.7");
  repository->write("work.c", work);
  move_work();
  repository->commit("Change the work");
  const Json row = compare();
  EXPECT_TRUE(row["layout"].is_null()) << row.dump(1);
  EXPECT_EQ(notes(row).find("layout effect"), std::string::npos) << notes(row);
  EXPECT_NE(outcome.err.find("not checked for a layout effect"), std::string::npos) << outcome.err;
}

TEST_F(Layout, DoesNotLabelAChangeThatStays) {
  repository->write("bench.c",
                    bench("getenv(\"HOME\") && access(\"slow\", 0) == 0 ? 118 : 100", kHardlyAny));
  repository->commit("Claim by a file");
  repository->write("slow", "");
  move_work();
  repository->commit("Change the data");
  const Json row = compare();
  EXPECT_TRUE(row["layout"].is_null()) << row.dump(1);
  EXPECT_NE(notes(row).find("the change stays when both are linked anew: +18"), std::string::npos)
      << notes(row) << outcome.err;
}

TEST_F(Layout, SuspectsIfTheBuildDoesNotMoveItsCode) {
  repository->write("bench.c", bench(kByPlace, kHardlyAny));
  repository->write("build.sh", build_script("bench.o work.o aside.o", false));
  repository->commit("Ignore the seed");
  move_work(false);
  repository->commit("Link in another order");
  const Json row = compare();
  ASSERT_TRUE(row["layout"].is_object()) << row.dump(1) << outcome.err;
  EXPECT_EQ(row["layout"]["label"], "layout effect suspected");
  EXPECT_EQ(row["layout"]["builds"], 0);
}

TEST_F(Layout, DoesNotSuspectTheSameProgram) {
  repository->write("bench.c", bench("access(\"slow\", 0) == 0 ? 118 : 100", kHardlyAny));
  repository->commit("Claim by a file");
  repository->write("slow", "");
  repository->commit("Change the data");
  const Json row = compare();
  EXPECT_TRUE(row["layout"].is_null()) << row.dump(1);
  EXPECT_NE(outcome.err.find("not checked for a layout effect"), std::string::npos) << outcome.err;
}

TEST_F(Layout, KeepsToTheBudget) {
  commit_a_move(":");
  Json row;
  // Enough for a verdict, not for more: how much that is, a busy machine decides.
  for (const char* budget : {"1500ms", "3s", "6s", "12s", "24s"}) {
    row = measure({"--budget", budget});
    if (is_flagged(row)) {
      break;
    }
  }
  ASSERT_TRUE(is_flagged(row)) << row.dump(1) << outcome.err;
  if (row["layout"].is_object()) {
    GTEST_SKIP() << "a fast machine: both were linked anew 12 times in a second";
  }
  EXPECT_NE(notes(row).find("often enough within the budget"), std::string::npos) << notes(row);
}

TEST_F(Layout, StopsABuildThatExceedsTheBudget) {
  commit_a_move("sleep 30; touch '" + mark().string() + "'");
  const Json row = compare({"--budget", "2s"});
  EXPECT_NE(notes(row).find("often enough within the budget"), std::string::npos) << notes(row);
  EXPECT_FALSE(std::filesystem::exists(mark())) << "the build was waited for";
}

TEST_F(Layout, StartsNoBuildThatExceedsTheBudget) {
  commit_a_move("touch '" + mark().string() + "'", "sleep 1\n");
  const Json row = compare({"--budget", "2s"});
  EXPECT_NE(notes(row).find("often enough within the budget"), std::string::npos) << notes(row);
  EXPECT_FALSE(std::filesystem::exists(mark())) << "a build was begun";
}

TEST_F(Layout, ReportsWhyItCouldNotRelink) {
  commit_a_move("echo 'no room to pad' >&2; exit 7");
  const Json row = compare();
  EXPECT_TRUE(row["layout"].is_null()) << row.dump(1);
  EXPECT_NE(notes(row).find("linked anew, head does not build (exit status 7): "
                            "no room to pad"),
            std::string::npos)
      << notes(row);
}

TEST_F(Layout, KeepsTheVerdictsIfTheCheckFails) {
  commit_a_move("mkdir -p ../complete.new");  // where the cache writes that it is built
  const Json row = compare();
  EXPECT_TRUE(row["layout"].is_null()) << row.dump(1);
  EXPECT_EQ(outcome.exit_code, row["verdict"] == "regressed" ? 1 : 0);
  ASSERT_TRUE(report.is_object()) << outcome.err;
  std::string kinds;
  for (const Json& warning : report["warning_details"]) {
    kinds += warning["kind"].get<std::string>() + " ";
  }
  EXPECT_NE(kinds.find("not_explained"), std::string::npos) << kinds << outcome.err;
  EXPECT_NE(report["warnings"].dump().find("cannot write to the build cache"), std::string::npos);
}

TEST_F(Layout, DoesNotLabelChangedCodeOfASharedLibrary) {
  const auto build = [](const std::string& order) {
    return "set -e\ngcc -O1 -fPIC -shared -o libwork.so work.c\ngcc -O1 -o bench " + order +
           " -L. -lwork '-Wl,-rpath,$ORIGIN'\n";
  };
  repository->write(".gitignore", "/bench\n*.so\n");
  repository->write("bench.c", bench("unused > 3 ? 118 : 100"));
  repository->write("build.sh", build("bench.c aside.c"));
  repository->commit("Work in a library");
  std::string work = kWork;
  work.replace(work.find("0.5"), 3, "0.7");
  repository->write("work.c", work);
  repository->write("build.sh", build("aside.c bench.c"));
  repository->commit("Change the work, and move the program");
  const Json row = compare();
  EXPECT_TRUE(row["layout"].is_null()) << row.dump(1);
  EXPECT_EQ(notes(row).find("layout effect"), std::string::npos) << notes(row);
  EXPECT_NE(outcome.err.find("not checked for a layout effect"), std::string::npos) << outcome.err;
}

// perf takes a second a side.
TEST_F(Layout, SamplesNoScript) {
  repository->write("perf-compare.json", kClaimedConfig);
  repository->write("bench", kClaimedBenchmark, true);
  repository->git({"add", "-f", "bench"});
  repository->write("work", "100");
  repository->commit("Claim by a script");
  repository->write("work", "130");
  repository->commit("Claim more");
  const Json row = measure({"-w", "claimed"});
  EXPECT_TRUE(is_flagged(row)) << row.dump(1);
  EXPECT_EQ(outcome.err.find("profiling"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("not checked for a layout effect: no program or library is linked"),
            std::string::npos)
      << outcome.err;
}

TEST_F(Layout, ProfilesOneRevisionAndTwo) {
  std::string work = kWork;
  work +=
      "__attribute__((noinline)) double more(long n) { double sum = 1; for (long i = 0; i < n; "
      "++i) sum = sum * 0.25 + 2.0; return sum; }\n";
  work.replace(work.find("return sum;"), 11, "double more(long); return sum + more(n);");
  repository->write("work.c", work);
  repository->commit("Compute more");
  const Outcome one = repository->perf_compare(
      {"profile", "-w", "w", "HEAD~1", "--json", "-", "--markdown", "p.md", "--html", "p.html"});
  EXPECT_NE(content_of(repository->path() / "p.md").find("Profiled "), std::string::npos);
  EXPECT_NE(content_of(repository->path() / "p.html").find("<h1>Profiled "), std::string::npos);
  const bool unusable =
      one.exit_code == 3 && one.out.find("\"problem\": \"perf ") != std::string::npos;
  if (unusable) {
    GTEST_SKIP() << "no perf here: " << one.out;
  }
  ASSERT_EQ(one.exit_code, 0) << one.out << one.err;
  const Json profile = Json::parse(one.out).at("workloads").at(0);
  EXPECT_EQ(profile["workload"], "w");
  EXPECT_TRUE(profile["base"].is_null());
  EXPECT_EQ(profile["head"]["functions"][0]["symbol"], "work") << one.out;
  EXPECT_GT(profile["head"]["functions"][0]["share"], 0.5);

  const Outcome two =
      repository->perf_compare({"profile", "-w", "w", "HEAD~1", "HEAD", "--json", "-"});
  ASSERT_EQ(two.exit_code, 0) << two.out << two.err;
  const Json both = Json::parse(two.out);
  bool named = false;
  for (const Json& function : both.at("workloads").at(0).at("changes")) {
    named = named || (function["symbol"] == "more" && function["base_share"] == 0.0 &&
                      function["head_share"] > 0.2);
  }
  EXPECT_TRUE(named) << two.out;

  const Outcome text = repository->perf_compare({"profile", "-w", "w"});
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_NE(text.out.find("more"), std::string::npos) << text.out;
}

TEST_F(Layout, NamesTheFunctionsThatExplainAChange) {
  std::string work = kWork;
  work +=
      "__attribute__((noinline)) double more(long n) { double sum = 1; for (long i = 0; i < n; "
      "++i) sum = sum * 0.25 + 2.0; return sum; }\n";
  work.replace(work.find("return sum;"), 11, "double more(long); return sum + more(n);");
  repository->write("work.c", work);
  repository->write("bench.c", bench("130"));
  repository->commit("Compute more");
  const Json row = compare({"--profile-changes"});
  const std::string said = notes(row);
  if (said.find("not profiled: perf ") != std::string::npos) {
    GTEST_SKIP() << said;
  }
  std::string names;
  for (const Json& function : row["functions"]) {
    names += function["name"].get<std::string>() + " ";
  }
  EXPECT_NE(names.find("more"), std::string::npos) << names << row.dump(1) << outcome.err;
}

TEST_F(Layout, ReportsThatNoFunctionExplainsAChange) {
  std::string work = kWork;
  repository->write("work.c", work.replace(work.find("0.5"), 3, "0.7"));
  repository->write("bench.c", bench("130"));
  repository->commit("Claim more time");
  const Json row = compare({"--profile-changes"});
  if (notes(row).find("not profiled: perf ") != std::string::npos) {
    GTEST_SKIP() << notes(row);
  }
  EXPECT_NE(notes(row).find("no function's share of the time moved"), std::string::npos)
      << row.dump(1);
  EXPECT_TRUE(row["functions"].empty()) << row["functions"];
}

}  // namespace
}  // namespace perf::test
