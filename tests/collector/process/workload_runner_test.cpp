#include "collector/process/workload_runner.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "collector/process/temporary_folder.h"
#include "processes.h"
#include "schema/error.h"

namespace perf {
namespace {

namespace fs = std::filesystem;
using testing::count_marked;
using testing::early_spawner;
using testing::unique_marker;

constexpr const char* kGood =
    R"(printf '{"type":"begin","protocol":1,"workload":"w","params":{}}\n' > "$PERF_COMPARE_OUT";)"
    R"(printf '{"type":"step","index":0,"warmup":false,"seconds":0.25}\n' >> "$PERF_COMPARE_OUT";)"
    R"(printf '{"type":"end"}\n' >> "$PERF_COMPARE_OUT";)";

/// Everything is run with `temporary` as the place for temporary folders, which must end up empty.
class WorkloadRunnerTest : public ::testing::Test {
 protected:
  Invocation run(const std::string& script, double timeout = 60) {
    workload.command = {"sh", "-c", script};
    workload.timeout = timeout;
    return run();
  }
  Invocation run() {
    WorkloadRunner runner(make_run_process(early_spawner()), root, temporary.path());
    return runner.run(workload, checkout.path(), invocation);
  }
  void TearDown() override { EXPECT_TRUE(fs::is_empty(temporary.path())); }

  fs::path root = "/";
  TemporaryFolder temporary, checkout;
  Workload workload;
  Invocation invocation;
};

TEST_F(WorkloadRunnerTest, ReadsWhatTheWorkloadSays) {
  invocation.workload = "w";
  invocation.pair = 3;
  const Invocation done = run(kGood);
  EXPECT_EQ(done.failure, "");
  ASSERT_EQ(done.blocks.size(), 1u);
  ASSERT_EQ(done.blocks[0].steps.size(), 1u);
  EXPECT_EQ(done.blocks[0].steps[0].seconds, 0.25);
  EXPECT_EQ(done.pair, 3);
  EXPECT_EQ(done.process.exit_code, 0);
  EXPECT_GT(*done.process.peak_rss, 0);
}

TEST_F(WorkloadRunnerTest, TellsTheWorkloadWhatIsWanted) {
  invocation.steps_wanted = 8;
  invocation.warmup_wanted = 2;
  invocation.seed = 4294967295u;
  invocation.padding = 1234;
  const Invocation done = run(
      std::string(kGood) +
      R"(echo "$PERF_COMPARE_STEPS $PERF_COMPARE_WARMUP $PERF_COMPARE_SEED ${#PERF_COMPARE_PADDING}"; pwd)");
  EXPECT_EQ(done.process.stdout_text,
            "8 2 4294967295 1234\n" + fs::canonical(checkout.path()).string() + "\n");
}

TEST_F(WorkloadRunnerTest, TheEnvironmentDiffersByThePaddingAlone) {
  const auto size = [&](int padding) {
    invocation.padding = padding;
    return std::stoi(run(std::string(kGood) + "env | wc -c").process.stdout_text);
  };
  EXPECT_EQ(size(4000) - size(17), 4000 - 17);
}

TEST_F(WorkloadRunnerTest, AppendsTheParamsSorted) {
  workload.params = {{"b", std::int64_t{2}}, {"a", true}, {"d", std::string("x y")}, {"c", 0.5}};
  workload.command = {"bench", "run"};
  EXPECT_EQ(command_of(workload), (std::vector<std::string>{"bench", "run", "--a", "true", "--b",
                                                            "2", "--c", "0.5", "--d", "x y"}));
}

TEST_F(WorkloadRunnerTest, RunsProgramsOfTheCheckout) {
  fs::create_directory(checkout.path() / "build");
  std::ofstream(checkout.path() / "build/bench") << "#!/bin/sh\n" << kGood << "\n";
  fs::permissions(checkout.path() / "build/bench", fs::perms::owner_all);
  workload.command = {"build/bench"};
  EXPECT_EQ(run().failure, "");
}

TEST_F(WorkloadRunnerTest, SaysHowItEnded) {
  EXPECT_EQ(run("echo first >&2; echo 'cannot open the model' >&2; exit 3").failure,
            "exit status 3; last line of stderr: cannot open the model");
  EXPECT_EQ(run("echo 'error: no such dtype' >&2; echo 'hint: fp32' >&2; exit 2").failure,
            "exit status 2; last lines of stderr: error: no such dtype; hint: fp32");
  EXPECT_EQ(run("exit 255").failure, "exit status 255");
  EXPECT_EQ(run("kill -SEGV $$").failure, "killed by signal 11 (SIGSEGV)");
  EXPECT_EQ(run("echo stuck >&2; sleep 100", 0.25).failure,
            "exceeded its timeout of 0.25 s and was killed; last line of stderr: stuck");
  workload.command = {"build/absent"};
  EXPECT_EQ(run().failure, "could not start: cannot run build/absent: No such file or directory");
}

TEST_F(WorkloadRunnerTest, TellsWhetherTheKernelRanOutOfMemory) {
  const TemporaryFolder machine;
  root = machine.path();
  const std::string vmstat = (root / "proc/vmstat").string();
  EXPECT_EQ(run("kill -KILL $$").failure,
            "killed by signal 9 (SIGKILL), as the kernel does when memory runs out");
  fs::create_directories(root / "proc");
  std::ofstream(vmstat) << "nr_free_pages 1\noom_kill 7\n";
  EXPECT_EQ(run("kill -KILL $$").failure,
            "killed by signal 9 (SIGKILL), but not by the kernel for lack of memory");
  EXPECT_EQ(run("echo oom_kill 8 > " + vmstat + "; kill -KILL $$").failure,
            "killed by signal 9 (SIGKILL); the kernel killed processes for lack of memory "
            "meanwhile");
  EXPECT_EQ(run("echo oom_kill 9 > " + vmstat + "; kill -ABRT $$").failure,
            "killed by signal 6 (SIGABRT)");
}

TEST_F(WorkloadRunnerTest, NoOutputFillsTheDisk) {
  const Invocation done =
      run("echo full >&2; head -c 80000000 /dev/zero > $PERF_COMPARE_OUT; exec sleep 100");
  EXPECT_EQ(
      done.failure,
      "it wrote more than 64 MiB to PERF_COMPARE_OUT and was killed; last line of stderr: full");
  EXPECT_TRUE(done.blocks.empty());
  workload.format = "google-benchmark";
  EXPECT_EQ(run("head -c 80000000 /dev/zero; exec sleep 100").failure,
            "it wrote more than 64 MiB to standard output and was killed");
  EXPECT_EQ(run("head -c 80000000 /dev/zero > {out}; exec sleep 100").failure,
            "it wrote more than 64 MiB to {out} and was killed");
}

TEST_F(WorkloadRunnerTest, ManySmallValuesAreRefusedUnread) {
  EXPECT_EQ(run("yes '{}' | head -n 600000 > $PERF_COMPARE_OUT").failure,
            "it wrote more than 1,000,000 values to PERF_COMPARE_OUT");
}

TEST_F(WorkloadRunnerTest, SaysAtTheSecondFailureWhatToTry) {
  invocation.attempt = 2;
  workload.params = {{"n", std::int64_t{3}}};
  const std::string there =
      "; to reproduce: cd " + checkout.path().string() + " && PERF_COMPARE_OUT=/tmp/out ";
  EXPECT_EQ(run("exit 3 # it's").failure,
            "exit status 3" + there + "sh -c 'exit 3 # it'\\''s' --n 3");
  EXPECT_EQ(run("true").failure, "PERF_COMPARE_OUT was not written" + there + "sh -c true --n 3");
  EXPECT_EQ(run(kGood).failure, "");
}

TEST_F(WorkloadRunnerTest, ShowsACommandOnOneLineThatAShellReads) {
  const auto shown = [](std::vector<std::string> command, const char* directory = "/c") {
    Workload one;
    one.command = std::move(command);
    return what_to_try(one, directory);
  };
  const std::string begin = "to reproduce: cd /c && PERF_COMPARE_OUT=/tmp/out ";
  EXPECT_EQ(shown({"a-b/c.d", "--x=1", ""}), begin + "a-b/c.d --x=1 ''");
  EXPECT_EQ(shown({"$x", "a b", "`"}), begin + "'$x' 'a b' '`'");
  EXPECT_EQ(shown({"A=1", "B=2"}), begin + "'A=1' 'B=2'") << "no assignment";
  EXPECT_EQ(shown({"a\nb\x1b'\\", "\xff"}), begin + R"($'a\012b\033\'\\' $'\377')");
  EXPECT_EQ(shown({"\xC3\xA4", "\xC2\x9B"}), begin + "'\xC3\xA4' $'\\302\\233'");
  EXPECT_EQ(shown({"x"}, "/a b"), "to reproduce: cd '/a b' && PERF_COMPARE_OUT=/tmp/out x");
  const std::string cut = shown({"x", std::string(100, 'y'), std::string(300, 'z'), "w"});
  EXPECT_EQ(cut, begin + "x " + std::string(100, 'y') + " ...");
}

TEST_F(WorkloadRunnerTest, SaysWhatIsWrongWithTheOutput) {
  EXPECT_EQ(run("true").failure, "PERF_COMPARE_OUT was not written");
  EXPECT_EQ(run("echo why >&2; true").failure,
            "PERF_COMPARE_OUT was not written; last line of stderr: why");
  EXPECT_EQ(run("mkdir $PERF_COMPARE_OUT").failure, "PERF_COMPARE_OUT is not a regular file");
  EXPECT_EQ(run("mkfifo $PERF_COMPARE_OUT").failure, "PERF_COMPARE_OUT is not a regular file");
  EXPECT_EQ(run("ln -s /etc/passwd $PERF_COMPARE_OUT").failure,
            "PERF_COMPARE_OUT is a symbolic link");
  EXPECT_EQ(run("truncate -s 67108865 $PERF_COMPARE_OUT").failure,
            "it wrote more than 64 MiB to PERF_COMPARE_OUT");
}

TEST_F(WorkloadRunnerTest, RefusesOutputThatIsOffTheProtocol) {
  const char* begin =
      R"(printf '{"type":"begin","protocol":1,"workload":"w","params":{}}\n' > $PERF_COMPARE_OUT;)";
  const char* end = R"(printf '{"type":"end"}\n' >> $PERF_COMPARE_OUT;)";
  const std::vector<std::string> lines{
      "garbage", "\\000\\377", R"({"type":"step","index":0,"warmup":false,"seconds":NaN})",
      R"({"type":"step","index":0,"warmup":false,"seconds":-1})", R"({"type":"step","index":0,)"};
  for (const std::string& line : lines) {
    const Invocation done =
        run(std::string(begin) + "printf '" + line + "\\n' >> $PERF_COMPARE_OUT;" + end);
    EXPECT_EQ(done.failure.rfind("its output is not in the format steps: line 2: ", 0), 0u)
        << done.failure;
    EXPECT_TRUE(done.blocks.empty());
  }
  // No end, and nothing at all.
  EXPECT_EQ(run(begin).failure.rfind("its output is not in the format steps: ", 0), 0u);
  EXPECT_EQ(
      run(": > $PERF_COMPARE_OUT").failure.rfind("its output is not in the format steps: ", 0), 0u);
}

TEST_F(WorkloadRunnerTest, KeepsWhatACrashedWorkloadHadSaid) {
  const Invocation done = run(std::string(kGood) + "exit 1");
  EXPECT_EQ(done.failure, "exit status 1");
  EXPECT_EQ(done.blocks.size(), 1u);
}

TEST_F(WorkloadRunnerTest, CleansUpWhateverIsLeft) {
  EXPECT_EQ(
      run(std::string(kGood) +
          R"(cd "${PERF_COMPARE_OUT%/*}"; mkdir -p a/b; touch a/b/c; chmod 0 a/b; chmod 500 a)")
          .failure,
      "");
  EXPECT_TRUE(fs::is_empty(temporary.path()));
}

TEST_F(WorkloadRunnerTest, CleansUpWhenTheProcessCannotBeStarted) {
  WorkloadRunner runner([](const ProcessRequest&) -> ProcessResult { throw Error("no", "more"); },
                        "/", temporary.path());
  workload.command = {"true"};
  EXPECT_THROW(runner.run(workload, checkout.path(), invocation), Error);
}

TEST_F(WorkloadRunnerTest, LeavesNoDaemonBehind) {
  const std::string marker = unique_marker();
  workload.command = {"sh", "-c",
                      std::string(kGood) + std::string(PROCESS_ACTOR) + " escape 3 " + marker};
  EXPECT_EQ(run().failure, "");
  EXPECT_EQ(count_marked(marker), 0);
}

TEST_F(WorkloadRunnerTest, RefusesOtherFormats) {
  workload.format = "tea-leaves";
  EXPECT_THROW(run("true"), UsageError);
}

TEST_F(WorkloadRunnerTest, TellsWhatTheMachineDidMeanwhile) {
  const TemporaryFolder machine;
  fs::create_directories(machine.path() / "proc/pressure");
  const auto put = [&](const char* name, const std::string& text) {
    std::ofstream(machine.path() / "proc" / name) << text;
  };
  put("stat", "cpu  1 2 3 4 5 6 7 100 0 0\n");
  put("pressure/cpu", "some avg10=0.00 avg60=0.00 avg300=0.00 total=1000000\n");
  put("meminfo", "MemTotal: 2000 kB\nMemAvailable: 1000 kB\n");
  WorkloadRunner runner(
      [&](const ProcessRequest&) {
        put("stat", "cpu  1 2 3 4 5 6 7 150 0 0\n");
        put("pressure/cpu", "some avg10=0.00 avg60=0.00 avg300=0.00 total=3500000\n");
        put("meminfo", "MemTotal: 2000 kB\nMemAvailable: 500 kB\n");
        return ProcessResult{};
      },
      machine.path(), temporary.path());
  const Invocation done = runner.run(workload, checkout.path(), invocation);
  EXPECT_DOUBLE_EQ(*done.process.steal, 50.0 / static_cast<double>(sysconf(_SC_CLK_TCK)));
  EXPECT_DOUBLE_EQ(*done.process.cpu_pressure, 2.5);
  EXPECT_EQ(done.process.memory_available_before, 1000 * 1024);
}

TEST_F(WorkloadRunnerTest, WhatTheKernelDoesNotTellIsUnknown) {
  root = checkout.path();  // no proc/
  const Invocation done = run(kGood);
  EXPECT_FALSE(done.process.steal || done.process.cpu_pressure ||
               done.process.memory_available_before);
}

TEST_F(WorkloadRunnerTest, RunsInTheFolderOfTheWorkload) {
  fs::create_directories(checkout.path() / "sub/bench");
  std::ofstream(checkout.path() / "sub/bench/run") << "#!/bin/sh\n" << kGood << "pwd\n";
  fs::permissions(checkout.path() / "sub/bench/run", fs::perms::owner_all);
  fs::create_symlink("sub/bench", checkout.path() / "link");
  workload.command = {"./run"};
  for (const char* cwd : {"sub/bench", "link"}) {
    workload.cwd = cwd;
    const Invocation done = run();
    EXPECT_EQ(done.failure, "");
    EXPECT_EQ(done.process.stdout_text,
              fs::canonical(checkout.path() / "sub/bench").string() + "\n");
  }
  EXPECT_EQ(program_of(workload), "link/./run");
  workload.cwd = "absent";
  const std::string failure = run().failure;
  EXPECT_TRUE(failure.starts_with("could not start: cannot enter ")) << failure;
}

TEST_F(WorkloadRunnerTest, RefusesAFolderThatLeadsOutOfTheCheckout) {
  const TemporaryFolder outside;
  const std::string beside = checkout.path().string() + "-beside";  // the same beginning
  fs::create_directory(beside);
  workload.cwd = "link";
  for (const std::string& target : {outside.path().string(), beside, std::string("..")}) {
    fs::remove(checkout.path() / "link");
    fs::create_symlink(target, checkout.path() / "link");
    const Invocation done = run(std::string(kGood) + "touch ran");
    EXPECT_EQ(done.failure, "could not start: cwd link leads out of the checkout, to " +
                                fs::canonical(checkout.path() / "link").string());
    EXPECT_EQ(done.process.spawn_error.substr(0, 8), "cwd link");
    EXPECT_FALSE(fs::exists(checkout.path() / "link/ran"));
  }
  fs::remove(beside);
}

TEST_F(WorkloadRunnerTest, GivesTheWorkloadItsVariables) {
  setenv("RUNNER_TEST_INHERITED", "x", 1);
  workload.env = {{"A", "1 2"}, {"RUNNER_TEST_INHERITED", ""}, {"BUILD_ID", "fixed"}};
  const Invocation done =
      run(std::string(kGood) + R"(echo "$A,${RUNNER_TEST_INHERITED-unset},$BUILD_ID")");
  EXPECT_EQ(done.process.stdout_text, "1 2,unset,fixed\n");
  unsetenv("RUNNER_TEST_INHERITED");
}

TEST_F(WorkloadRunnerTest, PreparesEachProcess) {
  fs::create_directory(checkout.path() / "sub");
  workload.cwd = "sub";
  workload.env = {{"A", "b"}};
  workload.prepare = {
      "sh", "-c",
      "echo \"$A $PERF_COMPARE_SEED ${PERF_COMPARE_OUT-unset}\" >> log; head -c 90000000 "
      "/dev/zero | tail -c 90000000 | wc -c"};
  invocation.seed = 5;
  for (int i = 1; i <= 2; ++i) {
    const Invocation done = run(std::string(kGood) + "cat log");
    EXPECT_EQ(done.failure, "");
    EXPECT_EQ(done.process.stdout_text, i == 1 ? "b 5 unset\n" : "b 5 unset\nb 5 unset\n");
    EXPECT_LT(*done.process.peak_rss, 80'000'000);
  }
}

TEST_F(WorkloadRunnerTest, CountsOnlyTheTimeOfTheCommand) {
  int started = 0;
  const RunProcess scripted = [&started](const ProcessRequest& request) {
    ProcessResult result;
    result.exit_code = 0;
    result.wall = request.command.front() == "prepare" ? 100 : 0.5;
    result.user = result.wall;
    ++started;
    return result;
  };
  workload.format = "process";
  workload.command = {"bench"};
  workload.prepare = {"prepare"};
  const Invocation done =
      WorkloadRunner(scripted, root, temporary.path()).run(workload, checkout.path(), invocation);
  EXPECT_EQ(started, 2);
  EXPECT_EQ(done.failure, "");
  EXPECT_EQ(done.process.wall, 0.5);
  EXPECT_EQ(done.blocks.at(0).steps.at(0).seconds, 0.5);
}

TEST_F(WorkloadRunnerTest, FailsIfPrepareFails) {
  const auto prepared = [&](const std::string& script) {
    workload.prepare = {"sh", "-c", script};
    const Invocation done = run(std::string(kGood) + "touch ran");
    EXPECT_FALSE(fs::exists(checkout.path() / "ran"));
    EXPECT_TRUE(done.blocks.empty());
    return done;
  };
  const Invocation done = prepared("echo first >&2; echo 'no disk' >&2; exit 3");
  EXPECT_EQ(done.failure, "prepare failed: exit status 3; last line of stderr: no disk");
  EXPECT_EQ(done.process.stderr_text, "first\nno disk\n");
  EXPECT_EQ(done.process.exit_code, std::nullopt);
  EXPECT_EQ(prepared("echo 'not found'; exit 1").failure,
            "prepare failed: exit status 1; last line of stdout: not found");
  EXPECT_EQ(prepared("kill -SEGV $$").failure, "prepare failed: killed by signal 11 (SIGSEGV)");
  workload.prepare = {"absent-program"};
  EXPECT_NE(run(kGood).process.spawn_error, "");
  EXPECT_EQ(
      run(kGood).failure,
      "prepare failed: could not start: cannot run absent-program: No such file or directory");
  workload.prepare = {"sh", "-c", "sleep 100"};
  EXPECT_EQ(run(kGood, 0.25).failure,
            "prepare failed: exceeded its timeout of 0.25 s and was killed");
}

TEST_F(WorkloadRunnerTest, EndsWhatPrepareLeftRunning) {
  const std::string marker = unique_marker();
  workload.prepare = {"sh", "-c", "setsid sh -c 'sleep 100; : " + marker + "' & exit 0"};
  EXPECT_EQ(run(kGood).failure, "");
  EXPECT_EQ(count_marked(marker), 0);
}

TEST_F(WorkloadRunnerTest, ShowsNamesOfVariablesWithoutTheirValues) {
  workload.command = {"./run"};
  workload.format = "process";
  workload.cwd = "sub";
  workload.env = {{"B", "secret"}, {"A", "secret"}};
  workload.prepare = {"cp", "a b", "c"};
  EXPECT_EQ(what_to_try(workload, "/c"),
            "to reproduce: cd /c/sub && cp 'a b' c && ./run  # with A, B of its \"env\"");
  invocation.attempt = 2;
  EXPECT_EQ(run("exit 1").failure.find("secret"), std::string::npos);
}

}  // namespace
}  // namespace perf
