// `--count` as a user runs it: a real C program under the real valgrind.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "schema/files/content.h"
#include "tests/ci/claimed_history.h"
#include "tests/ci/scratch_repository.h"

namespace perf::test {
namespace {

using Json = nlohmann::json;

/// Does as many turns as WORK says, and claims the same time whatever it did. It prints the clock
/// as well, as benchmarks do: digits that differ in every run, but for the clock of counted ones.
constexpr const char* kProgram = R"(#include <stdio.h>
#include <stdlib.h>
#include <time.h>
int main(void) {
  struct timespec now;
  int steps = atoi(getenv("PERF_COMPARE_STEPS"));
  FILE* out = fopen(getenv("PERF_COMPARE_OUT"), "w");
  volatile unsigned sum = 0;
  fprintf(out, "{\"type\":\"begin\",\"protocol\":1,\"workload\":\"w\",\"params\":{}}\n");
  for (int i = 0; i < steps; ++i) {
    for (unsigned turn = 0; turn < WORK; ++turn) sum += turn;
    fprintf(out, "{\"type\":\"step\",\"index\":%d,\"warmup\":false,\"seconds\":0.1}\n", i);
  }
  clock_gettime(CLOCK_MONOTONIC, &now);
  fprintf(out, "{\"type\":\"metric\",\"name\":\"clock\",\"unit\":\"s\",\"better\":\"lower\",\"value\":%.17g}\n",
          now.tv_sec + 1e-9 * now.tv_nsec);
  fprintf(out, "{\"type\":\"end\"}\n");
  return fclose(out);
}
)";

struct Countable : ScratchRepository {
  Countable(const std::string& base_work, const std::string& head_work) {
    write("bench.c", kProgram);
    write("perf-compare.json", R"({"build": {"command": [")" PERF_C_COMPILER
                               R"(", "-O1", "-include", "work.h", "-o", "bench", "bench.c"]},
              "workloads": [{"name": "w", "command": ["./bench"],
                             "metrics": {"instructions": {"threshold": "0.05%"}}}]})");
    write("work.h", "#define WORK " + base_work + "\n");
    commit("Add a benchmark");
    write("work.h", "#define WORK " + head_work + "\n");
    commit("Change the work");
  }
};

class Counting : public ::testing::Test {
 protected:
  void SetUp() override {
    if (run({"valgrind", "--version"}, "/").exit_code != 0) {
      GTEST_SKIP() << "valgrind is not installed: apt-get install valgrind";
    }
  }
};

TEST_F(Counting, DetectsATenthOfAPercentFromFourInvocations) {
  const Countable repository("1000000", "1001000");
  const Json report = repository.json({"HEAD~1", "HEAD", "--count", "--metric", "instructions"}, 1);
  const Json count = row(report, "w", "instructions");
  EXPECT_EQ(count["exact"], true);
  EXPECT_EQ(count["verdict"], "regressed");
  EXPECT_EQ(count["base"]["invocations"], 2);
  EXPECT_EQ(count["head"]["invocations"], 2);
  EXPECT_NEAR(count["change"], 0.001, 0.0002);
  EXPECT_EQ(count["interval"], Json::array({count["change"], count["change"]}));
}

TEST_F(Counting, LeavesTheTimeUnchanged) {
  const Countable repository("1000000", "1030000");
  EXPECT_TRUE(
      ended(repository.perf_compare({"HEAD~1", "HEAD", "--count", "--json", "out.json"}), 1));
  const Json report = Json::parse(content_of(repository.path() / "out.json"));
  EXPECT_EQ(row(report, "w", "instructions")["verdict"], "regressed");
  const Json time = row(report, "w", "step_time");
  EXPECT_EQ(time["verdict"], "unchanged");
  EXPECT_TRUE(contains(time["notes"].dump(), "more instructions, but no change of the time"))
      << time;
  EXPECT_EQ(report["judged"], 2);  // step_time and peak_rss: a count costs nothing of alpha
  EXPECT_TRUE(contains(report["reproduce"][0].get<std::string>(), " --count"));
}

TEST_F(Counting, IdenticalCodeCountsTheSame) {
  const Countable repository("50000", "50000");
  const Json report = repository.json({"HEAD~1", "HEAD", "--count", "--metric", "instructions"});
  const Json count = row(report, "w", "instructions");
  EXPECT_EQ(count["exact"], true);
  EXPECT_EQ(count["change"], 0);
  EXPECT_EQ(count["verdict"], "unchanged");
}

TEST(CountingWithoutValgrind, NamesWhatToInstall) {
  const Countable repository("10", "10");
  std::string git = run({"sh", "-c", "command -v git"}, "/").out;
  git.pop_back();
  const TemporaryFolder path;  // a machine that has git, and nothing else
  std::filesystem::create_symlink(git, path.path() / "git");
  EXPECT_TRUE(ended(
      repository.perf_compare({"HEAD~1", "HEAD", "--count"}, {{"PATH", path.path().string()}}), 3,
      {"apt-get install valgrind"}));
}

}  // namespace
}  // namespace perf::test
