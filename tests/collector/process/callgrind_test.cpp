#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "collector/process/temporary_folder.h"
#include "collector/process/workload_runner.h"
#include "processes.h"
#include "schema/error.h"

namespace perf {
namespace {

namespace fs = std::filesystem;
using testing::early_spawner;

constexpr const char* kOutput =
    "# callgrind format\nversion: 1\npid: 7\ncmd:  ./t\nevents: Ir\nsummary: 41\n\n\nfn=(0)\n0 "
    "41\n\n"
    "totals: 42\n";

TEST(Callgrind, ReadsTheTotalAtTheEndOfItsOutput) {
  EXPECT_EQ(instructions_in(kOutput), 42);
  EXPECT_EQ(instructions_in("events: Ir Dr Dw\n\ntotals: 1234567890123 5 6\n"), 1234567890123);
  EXPECT_EQ(instructions_in("part: 1\ntotals: 5\n\npart: 2\ntotals: 9\n"), 9);
}

TEST(Callgrind, FindsNoTotalInTruncatedOutput) {
  const std::string output = kOutput;
  for (std::size_t size = 0; size < output.size(); ++size) {
    EXPECT_EQ(instructions_in(output.substr(0, size)), std::nullopt) << size;
  }
  for (const char* broken :
       {"\ntotals: \n", "\ntotals: x\n", "\ntotals: -5\n", "\ntotals: 0\n",
        "\ntotals: 99999999999999999999\n", "\ntotals: 12x\n", "totals: 5\n"}) {
    EXPECT_EQ(instructions_in(broken), std::nullopt) << broken;
  }
}

/// Stands for the machine: remembers the request, and leaves what callgrind would.
struct FakeRun {
  ProcessRequest seen;
  std::vector<std::string> outputs;

  RunProcess function(const fs::path& folder) {
    return [this, folder](const ProcessRequest& request) {
      seen = request;
      for (std::size_t i = 0; i < outputs.size(); ++i) {
        std::ofstream(folder / ("callgrind." + std::to_string(i))) << outputs[i];
      }
      ProcessResult result;
      result.exit_code = 0;
      result.instructions = 5;  // valgrind's own, by the processor's counter
      return result;
    };
  }
  std::string variable(const std::string& name) const {
    std::string value = "none";
    for (const auto& [key, text] : seen.environment) {
      if (key == name) {
        value = text;
      }
    }
    return value;
  }
};

TEST(Callgrind, CountsEveryProcessOfTheCommand) {
  const TemporaryFolder folder, root;
  FakeRun fake;
  fake.outputs = {kOutput, "\ntotals: 100\n"};
  ProcessRequest request;
  request.command = {"./bench", "--size", "1"};
  request.timeout = 7;
  request.environment = {{"PERF_COMPARE_SEED", "3"}};
  const RunProcess run = under_callgrind(fake.function(folder.path()), folder.path(), root.path());
  EXPECT_EQ(run(request).instructions, 142);
  ASSERT_GE(fake.seen.command.size(), 4u);
  EXPECT_EQ(fake.seen.command.front(), "valgrind");
  EXPECT_EQ(std::vector<std::string>(fake.seen.command.end() - 3, fake.seen.command.end()),
            request.command);
  EXPECT_EQ(
      std::count(fake.seen.command.begin(), fake.seen.command.end() - 3, "--command-line-only=yes"),
      1);
  EXPECT_EQ(fake.seen.timeout, 7);
  EXPECT_EQ(fake.variable("PERF_COMPARE_SEED"), "3");
  EXPECT_EQ(fake.variable("OMP_NUM_THREADS"), "1");
  EXPECT_EQ(fake.variable("VALGRIND_OPTS"), "");
  EXPECT_EQ(fake.variable("OPENBLAS_CORETYPE"), "none");
}

TEST(Callgrind, NeedsATotalOfEachProcess) {
  const TemporaryFolder folder, root;
  FakeRun fake;
  const RunProcess run = under_callgrind(fake.function(folder.path()), folder.path(), root.path());
  EXPECT_EQ(run({}).instructions, std::nullopt);
  fake.outputs = {kOutput, "events: Ir\n"};
  EXPECT_EQ(run({}).instructions, std::nullopt);
}

TEST(Callgrind, UsesHaswellKernelsWhereTheProcessorHasAvx512) {
  const TemporaryFolder folder, root;
  fs::create_directories(root.path() / "proc");
  std::ofstream(root.path() / "proc/cpuinfo") << "processor : 0\nflags : fpu avx2 avx512f sha_ni\n";
  FakeRun fake;
  under_callgrind(fake.function(folder.path()), folder.path(), root.path())({});
  EXPECT_EQ(fake.variable("OPENBLAS_CORETYPE"), "Haswell");
}

TEST(Callgrind, NamesThePackageOfValgrind) {
  const RunProcess missing = [](const ProcessRequest&) {
    ProcessResult result;
    result.spawn_error = "cannot run valgrind: No such file or directory";
    return result;
  };
  try {
    require_callgrind(missing);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.hint.find("apt-get install valgrind"), std::string::npos);
    EXPECT_NE(error.subject.find("No such file"), std::string::npos);
  }
}

/// The real thing, with what the machine has.
class RealCallgrind : public ::testing::Test {
 protected:
  void SetUp() override {
    try {
      require_callgrind(make_run_process(early_spawner()));
    } catch (const Error& error) {
      GTEST_SKIP() << error.subject << ": " << error.hint;
    }
    workload.name = "w";
    invocation.counted = true;
  }
  Invocation run(const std::string& script) {
    workload.command = {"sh", "-c", script};
    WorkloadRunner runner(make_run_process(early_spawner()), "/", temporary.path());
    const Invocation done = runner.run(workload, checkout.path(), invocation);
    EXPECT_TRUE(fs::is_empty(temporary.path()));
    return done;
  }

  TemporaryFolder temporary, checkout;
  Workload workload;
  Invocation invocation;
};

constexpr const char* kSays =
    R"(printf '{"type":"begin","protocol":1,"workload":"w","params":{}}\n{"type":"step","index":0,"warmup":false,"seconds":1}\n{"type":"end"}\n' > "$PERF_COMPARE_OUT"; )";

TEST_F(RealCallgrind, CountsAWorkloadTheSameTwice) {
  const std::string script = std::string(kSays) + "i=0; while [ $i -lt 300 ]; do i=$((i+1)); done";
  const Invocation first = run(script), second = run(script);
  ASSERT_EQ(first.failure, "");
  ASSERT_TRUE(first.process.instructions);
  EXPECT_GT(*first.process.instructions, 100'000);
  EXPECT_EQ(first.process.instructions, second.process.instructions);
  EXPECT_EQ(first.blocks.size(), 1u);
}

TEST_F(RealCallgrind, ChecksOutsCannotChangeWhatIsCounted) {
  const std::string script = std::string(kSays) + "i=0; while [ $i -lt 300 ]; do i=$((i+1)); done";
  const Invocation before = run(script);
  std::ofstream(checkout.path() / ".valgrindrc") << "--callgrind:toggle-collect=no_such_function\n";
  fs::permissions(checkout.path() / ".valgrindrc", fs::perms::owner_read | fs::perms::owner_write);
  const Invocation after = run(script);
  ASSERT_EQ(after.failure, "");
  EXPECT_EQ(before.process.instructions, after.process.instructions);
}

TEST_F(RealCallgrind, ReadsAClockThatIsTheSameEachTime) {
  const std::string script = std::string(kSays) + "date +%s.%N; date +%s.%N";
  const Invocation first = run(script), second = run(script);
  ASSERT_EQ(first.failure, "");
  EXPECT_EQ(first.process.stdout_text, second.process.stdout_text);
  EXPECT_EQ(first.process.stdout_text.substr(0, 11), "1000000000.");
  EXPECT_EQ(first.process.instructions, second.process.instructions);
}

TEST_F(RealCallgrind, CountsDescendants) {
  const std::string loop = "i=0; while [ $i -lt 2000 ]; do i=$((i+1)); done";
  const Invocation without = run(std::string(kSays) + "sh -c 'true'; true");
  const Invocation with = run(std::string(kSays) + "sh -c '" + loop + "'; true");
  ASSERT_EQ(with.failure, "");
  EXPECT_GT(*with.process.instructions, *without.process.instructions + 500'000);
}

TEST_F(RealCallgrind, WorkloadThatFailsSaysWhy) {
  const Invocation done = run("echo no luck >&2; exit 3");
  EXPECT_NE(done.failure.find("exit status 3"), std::string::npos) << done.failure;
  EXPECT_NE(done.failure.find("no luck"), std::string::npos) << done.failure;
}

}  // namespace
}  // namespace perf
