// Output that is not the protocol's: foreign formats, and whole processes.

#include "collector/process/workload_output.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "collector/process/temporary_folder.h"
#include "collector/process/workload_runner.h"
#include "processes.h"
#include "schema/error.h"

namespace perf {
namespace {

namespace fs = std::filesystem;
using testing::early_spawner;

/// A shell command that prints a Google Benchmark file of these repetitions, in ns.
std::string prints(const std::vector<std::pair<std::string, int>>& repetitions) {
  std::string text = R"({"context":{"num_cpus":2},"benchmarks":[)";
  for (const auto& [name, nanoseconds] : repetitions) {
    const std::string time = std::to_string(nanoseconds);
    text += text.back() == '}' ? "," : "";
    text += R"({"name":")" + name + R"(","run_name":")" + name +
            R"(","run_type":"iteration","iterations":10,"real_time":)" + time + R"(,"cpu_time":)" +
            time + R"(,"time_unit":"ns"})";
  }
  return "printf '%s\\n' '" + text + "]}'";
}

class WorkloadOutputTest : public ::testing::Test {
 protected:
  Invocation run(const std::string& script) {
    workload.command = {"sh", "-c", script};
    return run();
  }
  Invocation run() {
    WorkloadRunner runner(make_run_process(early_spawner()), "/", temporary.path());
    return runner.run(workload, checkout.path(), invocation);
  }
  void TearDown() override { EXPECT_TRUE(fs::is_empty(temporary.path())); }

  TemporaryFolder temporary, checkout;
  Workload workload{"entry", {}, "google-benchmark", {}, 60};
  Invocation invocation;
};

TEST_F(WorkloadOutputTest, ReadsAForeignFormatFromStandardOutput) {
  const Invocation done = run(prints({{"BM_a", 100}, {"BM_a", 300}, {"BM_b/8", 50}}));
  ASSERT_EQ(done.failure, "");
  ASSERT_EQ(done.blocks.size(), 2u);
  EXPECT_EQ(done.blocks[0].workload, "BM_a");
  ASSERT_EQ(done.blocks[0].steps.size(), 2u);
  EXPECT_DOUBLE_EQ(done.blocks[0].steps[0].seconds, 100e-9);
  EXPECT_DOUBLE_EQ(done.blocks[0].steps[1].seconds, 300e-9);
  EXPECT_FALSE(done.blocks[0].steps[0].warmup);
  EXPECT_EQ(done.blocks[1].workload, "BM_b/8");
  EXPECT_NE(done.process.stdout_text.find("BM_b/8"), std::string::npos) << "its end is kept";
  EXPECT_GT(*done.process.peak_rss, 0);
}

TEST_F(WorkloadOutputTest, ReadsItFromTheFileThatAnArgumentNames) {
  const std::string json = prints({{"BM_a", 100}});
  workload.command = {"sh", "-c", "echo chatter; " + json + " > \"${1#--out=}\"", "sh",
                      "--out={out}"};
  const Invocation done = run();
  ASSERT_EQ(done.failure, "");
  ASSERT_EQ(done.blocks.size(), 1u);
  EXPECT_EQ(done.process.stdout_text, "chatter\n");
}

TEST_F(WorkloadOutputTest, AParamMayNameTheFileToo) {
  workload.command = {"sh", "-c", prints({{"BM_a", 100}}) + " > \"$2\"", "sh"};
  workload.params = {{"out", std::string("{out}")}};
  EXPECT_EQ(run().failure, "");
}

TEST_F(WorkloadOutputTest, OutputLargerThanMemoryKeepsIsReadWhole) {
  workload.command = {"sh", "-c",
                      "head -c 300000 /dev/zero | tr '\\0' ' '; " + prints({{"BM_a", 100}})};
  const Invocation done = run();
  EXPECT_EQ(done.failure, "");
  EXPECT_EQ(done.process.stdout_text.size(), std::size_t{1} << 16);
  EXPECT_NE(done.process.stdout_text.find("BM_a"), std::string::npos);
}

TEST_F(WorkloadOutputTest, SaysWhatIsWrongWithIt) {
  EXPECT_EQ(run("echo hello")
                .failure.rfind(
                    "its output is not in the format google-benchmark: standard output:1:1: ", 0),
            0u)
      << run("echo hello").failure;
  EXPECT_EQ(run("echo oops >&2; exit 3").failure, "exit status 3; last line of stderr: oops");
  const std::string none = run("true; : {out}").failure;
  EXPECT_EQ(none, "{out} was not written");
  EXPECT_EQ(run("mkdir {out}").failure, "{out} is not a regular file");
  EXPECT_EQ(run("ln -s /etc/passwd {out}").failure, "{out} is a symbolic link");
  EXPECT_EQ(run("truncate -s 67108865 {out}").failure, "it wrote more than 64 MiB to {out}");
  // It may be killed before it ends by itself.
  const std::string large = "it wrote more than 64 MiB to standard output";
  const std::string failure = run("head -c 67108865 /dev/zero").failure;
  EXPECT_TRUE(failure == large || failure == large + " and was killed") << failure;
}

TEST_F(WorkloadOutputTest, ABenchmarkThatFailedFailsTheInvocation) {
  const std::string failed =
      R"(echo '{"context":{},"benchmarks":[{"name":"BM_a","run_name":"BM_a","run_type":"iteration",)"
      R"("error_occurred":true,"error_message":"no device"}]}')";
  const std::string failure = run(failed).failure;
  EXPECT_NE(failure.find("BM_a"), std::string::npos) << failure;
  EXPECT_NE(failure.find("no device"), std::string::npos) << failure;
}

TEST_F(WorkloadOutputTest, NoWarmUpIsAskedOfOtherFormats) {
  invocation.steps_wanted = 8;
  invocation.warmup_wanted = 2;
  const Invocation done =
      run(prints({{"BM_a", 100}}) + "; echo $PERF_COMPARE_STEPS $PERF_COMPARE_WARMUP >&2");
  EXPECT_EQ(done.process.stderr_text, "8 0\n");
  EXPECT_EQ(done.steps_wanted, 8);
  EXPECT_EQ(done.warmup_wanted, 0);
}

TEST_F(WorkloadOutputTest, TimesAWholeProcess) {
  workload.format = "process";
  workload.params = {{"n", std::int64_t{3}}};
  invocation.steps_wanted = 8;
  invocation.warmup_wanted = 2;
  const Invocation done = run("cat; echo $1 {out}");
  ASSERT_EQ(done.failure, "");
  ASSERT_EQ(done.blocks.size(), 1u);
  const Block& block = done.blocks.front();
  EXPECT_EQ(block.workload, "entry");
  EXPECT_EQ(block.params, workload.params);
  ASSERT_EQ(block.steps.size(), 1u);
  EXPECT_EQ(block.steps[0].seconds, done.process.wall);
  EXPECT_FALSE(block.steps[0].warmup);
  ASSERT_EQ(block.metrics.size(), 2u);
  EXPECT_EQ(block.metrics[0].metric, (Metric{"user_time", "s", Better::lower}));
  EXPECT_EQ(block.metrics[0].value, *done.process.user);
  EXPECT_EQ(block.metrics[1].metric, (Metric{"system_time", "s", Better::lower}));
  EXPECT_FALSE(block.metrics[0].judge || block.metrics[1].judge);
  EXPECT_EQ(done.steps_wanted, 1);
  EXPECT_EQ(done.warmup_wanted, 0);
  EXPECT_EQ(done.process.stdout_text, "3 {out}\n") << "standard input is empty; {out} is a word";
}

TEST_F(WorkloadOutputTest, AProcessThatFailsHasNoTime) {
  workload.format = "process";
  const Invocation failed = run("exit 4");
  EXPECT_EQ(failed.failure, "exit status 4");
  EXPECT_TRUE(failed.blocks.empty());
  EXPECT_TRUE(run("kill -KILL $$").blocks.empty());
  workload.timeout = 0.2;
  EXPECT_TRUE(run("sleep 100").blocks.empty());
}

TEST_F(WorkloadOutputTest, ShowsHowToTryIt) {
  workload.command = {"./bench", "--benchmark_out={out}"};
  EXPECT_EQ(what_to_try(workload, "/c"), "to reproduce: cd /c && ./bench --benchmark_out=/tmp/out");
  workload.format = "process";
  workload.command = {"make", "all"};
  EXPECT_EQ(what_to_try(workload, "/c"), "to reproduce: cd /c && make all");
}

TEST_F(WorkloadOutputTest, RefusesUnknownFormatsNamingTheNearest) {
  workload.format = "hyperfin";
  try {
    run("true");
    FAIL() << "it ran";
  } catch (const UsageError& error) {
    EXPECT_EQ(error.subject, "hyperfin");
    EXPECT_NE(error.hint.find("hyperfine"), std::string::npos) << error.hint;
  }
}

TEST(Spawner, PutsStandardOutputIntoAFile) {
  const TemporaryFolder folder;
  ProcessRequest request;
  request.command = {"sh", "-c", "echo one; echo two > /dev/stdout; echo err >&2"};
  request.stdout_file = folder.path() / "out";
  const ProcessResult result = early_spawner().run(request);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.stdout_text, "");
  EXPECT_EQ(result.stderr_text, "err\n");
  EXPECT_NE(read_written(request.stdout_file).text.find("two\n"), std::string::npos);
  EXPECT_THROW(early_spawner().run(request), Error) << "a file that is there is not written to";
}

}  // namespace
}  // namespace perf
