#include "collector/profile/profile_workload.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "tests/collector/git/scratch.h"

namespace perf {
namespace {

namespace fs = std::filesystem;

const std::string kOutput = R"({"type":"begin","protocol":1,"workload":"w","params":{}})"
                            "\n"
                            R"({"type":"step","index":0,"warmup":true,"seconds":9})"
                            "\n"
                            R"({"type":"step","index":1,"warmup":false,"seconds":0.25})"
                            "\n"
                            R"({"type":"end"})"
                            "\n";

std::string value_of(const ProcessRequest& request, const std::string& name) {
  const auto found = std::find_if(request.environment.begin(), request.environment.end(),
                                  [&](const auto& one) { return one.first == name; });
  return found == request.environment.end() ? "" : found->second;
}

/// A perf that is played: what it leaves behind and says.
struct PlayedPerf {
  std::string data = "samples";  ///< written to the file after -o
  std::string printed = "  1 hot (/b)\n  2 hot (/b)\n  3 cold (/b)\n";
  ProcessResult recorded = ended(0), scripted = ended(0);
  std::vector<ProcessRequest> requests{};

  static ProcessResult ended(int code) {
    ProcessResult result;
    result.exit_code = code;
    return result;
  }
  ProcessResult run(const ProcessRequest& request) {
    requests.push_back(request);
    const auto file = std::find(request.command.begin(), request.command.end(), "-o");
    if (file == request.command.end()) {
      scripted.stdout_text = printed;
      return scripted;
    }
    test::write_file(*(file + 1), data);
    test::write_file(value_of(request, "PERF_COMPARE_OUT"), kOutput);
    return recorded;
  }
  Profile profile(const fs::path& root = "/") {
    Workload workload;
    workload.name = "w";
    workload.command = {"./bench", "-x"};
    workload.params = {{"layers", std::int64_t{4}}};
    Invocation invocation;
    invocation.steps_wanted = 30;
    return profile_workload([this](const ProcessRequest& request) { return run(request); },
                            workload, fs::temp_directory_path(), invocation, root);
  }
};

TEST(ProfileWorkload, RunsTheWorkloadUnderPerf) {
  PlayedPerf perf;
  const Profile profile = perf.profile();
  EXPECT_EQ(profile.problem, "");
  EXPECT_EQ(profile.samples, 3);
  EXPECT_EQ(profile.functions.at(0).symbol, "hot");
  EXPECT_EQ(profile.step_time, 0.25) << "the warm-up step does not count";
  ASSERT_EQ(perf.requests.size(), 2u);
  const std::vector<std::string>& command = perf.requests[0].command;
  ASSERT_GT(command.size(), 5u);
  EXPECT_EQ(std::vector<std::string>(command.begin(), command.begin() + 2),
            (std::vector<std::string>{"perf", "record"}));
  EXPECT_EQ(std::vector<std::string>(command.end() - 5, command.end()),
            (std::vector<std::string>{"--", "./bench", "-x", "--layers", "4"}));
  EXPECT_EQ(value_of(perf.requests[0], "PERF_COMPARE_STEPS"), "30");
  const auto file = std::find(command.begin(), command.end(), "-o") + 1;
  EXPECT_FALSE(fs::exists(*file)) << "the samples are gone with their folder";
}

TEST(ProfileWorkload, ReportsMissingPerf) {
  PlayedPerf perf;
  perf.data = "";
  perf.recorded = ProcessResult{};
  perf.recorded.spawn_error = "perf: No such file or directory";
  const std::string problem = perf.profile().problem;
  EXPECT_NE(problem.find("linux-perf"), std::string::npos) << problem;
  EXPECT_EQ(perf.requests.size(), 1u);
}

TEST(ProfileWorkload, HintsHowToGetPermission) {
  const test::Scratch scratch;
  fs::create_directories(scratch.path() / "proc/sys/kernel");
  scratch.write("proc/sys/kernel/perf_event_paranoid", "4\n");
  PlayedPerf perf;
  perf.data = "";
  perf.recorded = PlayedPerf::ended(255);
  perf.recorded.stderr_text =
      "Error:\nAccess to performance monitoring and observability operations is limited.\n"
      "Consider adjusting /proc/sys/kernel/perf_event_paranoid setting to open\n";
  const std::string problem = perf.profile(scratch.path()).problem;
  EXPECT_NE(problem.find("perf_event_paranoid is 4"), std::string::npos) << problem;
  EXPECT_NE(problem.find("sysctl kernel.perf_event_paranoid=2"), std::string::npos) << problem;
}

TEST(ProfileWorkload, RepeatsPerfsMessage) {
  PlayedPerf perf;
  perf.data = "";
  perf.recorded = PlayedPerf::ended(2);
  perf.recorded.stderr_text = "WARNING: perf not found for kernel 6.1\n";
  EXPECT_EQ(perf.profile().problem, "perf took no samples: WARNING: perf not found for kernel 6.1");
}

TEST(ProfileWorkload, DistinguishesAFailedWorkloadFromAFailedPerf) {
  PlayedPerf perf;
  perf.recorded = PlayedPerf::ended(7);
  EXPECT_EQ(perf.profile().problem, "the workload failed under perf: exit status 7");
  perf.recorded = PlayedPerf::ended(0);
  perf.scripted = PlayedPerf::ended(1);
  EXPECT_EQ(perf.profile().problem, "perf script could not read the samples: exit status 1");
  perf.scripted = PlayedPerf::ended(0);
  perf.printed = "";
  EXPECT_NE(perf.profile().problem.find("too short"), std::string::npos);
}

/// The real perf on a real program, where the machine has it and lets us. Not under /tmp: perf
/// takes the files of folders that begin with /tmp/perf- for maps of just-in-time compilers.
TEST(ProfileWorkload, FindsTheHotFunctionOfARealProgram) {
  const TemporaryFolder folder("/var/tmp");
  test::write_file(folder.path() / "bench.c", R"(#include <stdio.h>
#include <stdlib.h>
volatile double x;
__attribute__((noinline)) void spin(long n) { for (long i = 0; i < n; ++i) x += 1; }
int main(void) {
  spin(100000000);
  FILE* out = fopen(getenv("PERF_COMPARE_OUT"), "w");
  fputs("{\"type\":\"begin\",\"protocol\":1,\"workload\":\"w\",\"params\":{}}\n"
        "{\"type\":\"step\",\"index\":0,\"warmup\":false,\"seconds\":0.5}\n{\"type\":\"end\"}\n", out);
  return fclose(out);
}
)");
  ProcessRequest compile;
  compile.command = {"gcc", "-O1", "-o", "bench", "bench.c"};
  compile.directory = folder.path();
  const ProcessResult compiled = test::run_process()(compile);
  if (compiled.exit_code != 0) {
    GTEST_SKIP() << "no C compiler: " << compiled.spawn_error << compiled.stderr_text;
  }
  Workload workload;
  workload.command = {"./bench"};
  const Profile profile =
      profile_workload(test::run_process(), workload, folder.path(), Invocation{});
  const bool unusable = profile.problem.rfind("perf ", 0) == 0;
  if (unusable) {
    GTEST_SKIP() << profile.problem;
  }
  ASSERT_EQ(profile.problem, "");
  ASSERT_FALSE(profile.functions.empty());
  EXPECT_EQ(profile.functions[0].symbol, "spin");
  EXPECT_EQ(fs::path(profile.functions[0].object).filename(), "bench");
  EXPECT_GT(profile.functions[0].share, 0.8);
}

}  // namespace
}  // namespace perf
