#include "collector/process/spawner.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "collector/process/temporary_folder.h"
#include "processes.h"
#include "schema/error.h"

namespace perf {
namespace {

using testing::actor;
using testing::early_spawner;
using testing::program;
using testing::shell;

ProcessResult run(const ProcessRequest& request) {
  return early_spawner().run(request);
}

void write_file(const std::filesystem::path& file, const std::string& text, int mode) {
  std::ofstream(file) << text;
  std::filesystem::permissions(file, static_cast<std::filesystem::perms>(mode));
}

TEST(Spawner, ReportsEveryExitStatus) {
  for (int status = 0; status <= 255; ++status) {
    const ProcessResult result = run(shell("exit " + std::to_string(status)));
    ASSERT_EQ(result.exit_code, status);
    ASSERT_FALSE(result.signal);
    ASSERT_FALSE(result.timed_out);
    ASSERT_EQ(result.spawn_error, "");
  }
}

TEST(Spawner, ReportsSignals) {
  for (const int signal : {SIGSEGV, SIGABRT, SIGKILL, SIGTERM, SIGPIPE, SIGXCPU}) {
    const ProcessResult result = run(shell("kill -" + std::to_string(signal) + " $$"));
    EXPECT_EQ(result.signal, signal);
    EXPECT_FALSE(result.exit_code);
    EXPECT_FALSE(result.timed_out);
  }
}

TEST(Spawner, MeasuresTheChild) {
  const ProcessResult result = run(shell("i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done"));
  EXPECT_GT(result.wall, 0);
  EXPECT_GT(*result.user + *result.system, 0);
  EXPECT_GT(*result.minor_faults, 0);
  EXPECT_TRUE(result.major_faults && result.voluntary_switches && result.involuntary_switches);
}

TEST(Spawner, PassesArgumentsUnchanged) {
  const std::string hostile = "$(id) `id` ; rm -rf * \"'\\ \n\t--option \x01\xC3\xA9";
  EXPECT_EQ(run(program({"printf", "%s", hostile})).stdout_text, hostile);
  EXPECT_EQ(run(program({"printf", "[%s]", "", "a b", ""})).stdout_text, "[][a b][]");
}

TEST(Spawner, GivesAnEmptyInput) {
  const ProcessResult result = run(program({"cat"}));
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.stdout_text, "");
}

TEST(Spawner, SetsAndUnsetsVariablesOverTheInherited) {
  setenv("SPAWNER_TEST_KEPT", "kept", 1);
  setenv("SPAWNER_TEST_GONE", "there", 1);
  ProcessRequest request =
      shell("echo $SPAWNER_TEST_KEPT-${SPAWNER_TEST_GONE-none}-$SPAWNER_TEST_NEW");
  request.environment = {{"SPAWNER_TEST_GONE", ""}, {"SPAWNER_TEST_NEW", "a=b c"}};
  EXPECT_EQ(run(request).stdout_text, "kept-none-a=b c\n");
  unsetenv("SPAWNER_TEST_KEPT");
  unsetenv("SPAWNER_TEST_GONE");
}

TEST(Spawner, RunsInTheDirectoryAndFindsRelativeProgramsThere) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() / "bin");
  write_file(folder.path() / "bin/where", "#!/bin/sh\npwd\n", 0755);
  ProcessRequest request = program({"bin/where"});
  request.directory = folder.path();
  EXPECT_EQ(run(request).stdout_text, std::filesystem::canonical(folder.path()).string() + "\n");
}

TEST(Spawner, IgnoresRelativeFoldersInPath) {
  const TemporaryFolder folder;
  write_file(folder.path() / "planted", "#!/bin/sh\necho planted\n", 0755);
  ProcessRequest request = program({"planted"});
  request.directory = folder.path();
  for (const char* path : {".", "", ":/bin:", "relative/.."}) {
    request.environment = {{"PATH", path}};
    const ProcessResult result = run(request);
    EXPECT_EQ(result.spawn_error, "cannot run planted: No such file or directory") << path;
  }
  request.environment = {{"PATH", "/nowhere:" + folder.path().string()}};
  EXPECT_EQ(run(request).stdout_text, "planted\n");
}

TEST(Spawner, ReportsWhyAProgramDoesNotStart) {
  const TemporaryFolder folder;
  write_file(folder.path() / "data", "text", 0644);
  write_file(folder.path() / "no_shebang", "echo a shell would run this\n", 0755);
  write_file(folder.path() / "lost", "#!/no/such/interpreter\n", 0755);
  const auto error_of = [&](const std::string& name) {
    ProcessRequest request = program({name});
    request.directory = folder.path();
    const ProcessResult result = run(request);
    EXPECT_FALSE(result.exit_code || result.signal || result.peak_rss);
    return result.spawn_error;
  };
  EXPECT_EQ(error_of("./absent"), "cannot run ./absent: No such file or directory");
  EXPECT_EQ(error_of("no-such-program"), "cannot run no-such-program: No such file or directory");
  EXPECT_EQ(error_of("./data"), "cannot run ./data: Permission denied");
  EXPECT_EQ(error_of("./no_shebang"), "cannot run ./no_shebang: Exec format error");
  EXPECT_EQ(error_of("./lost"), "cannot run ./lost: its interpreter or loader does not exist");
  EXPECT_EQ(error_of(""), "cannot run : No such file or directory");
  EXPECT_EQ(error_of("./a\n::error::b\x1b[31m\xff"),
            "cannot run ./a ::error::b [31m\xEF\xBF\xBD: No such file or directory");
  EXPECT_EQ(error_of(std::string("a\0b", 3)), "an argument or variable holds a NUL byte");
  EXPECT_EQ(run(program({})).spawn_error, "the command is empty");
  ProcessRequest request = program({"true"});
  request.directory = folder.path() / "absent";
  EXPECT_EQ(run(request).spawn_error,
            "cannot enter " + request.directory.string() + ": No such file or directory");
  request.directory = folder.path() / "a\nb";
  EXPECT_EQ(run(request).spawn_error,
            "cannot enter " + folder.path().string() + "/a b: No such file or directory");
}

TEST(Spawner, ReportsTooLongArguments) {
  const ProcessResult result = run(program({"true", std::string(4 << 20, 'x')}));
  EXPECT_EQ(result.spawn_error, "cannot run true: Argument list too long");
  EXPECT_EQ(run(program({"true"})).exit_code, 0);
}

TEST(Spawner, PassesOnlyThreeDescriptors) {
  const int leaky = open("/dev/null", O_RDONLY);  // not close-on-exec, as careless libraries do it
  ASSERT_GE(leaky, 0);
  Spawner late;
  EXPECT_EQ(late.run(program({"ls", "/proc/self/fd"})).stdout_text, "0\n1\n2\n3\n");  // 3: ls's own
  EXPECT_EQ(run(program({"ls", "/proc/self/fd"})).stdout_text, "0\n1\n2\n3\n");
  close(leaky);
}

TEST(Spawner, StartsChildrenWithDefaultSignalsAndASession) {
  struct sigaction old_pipe {
  }, old_child{}, ignore{};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &ignore, &old_pipe);
  sigaction(SIGCHLD, &ignore, &old_child);
  sigset_t block, old_mask;
  sigfillset(&block);
  sigprocmask(SIG_SETMASK, &block, &old_mask);
  const std::string none = "0000000000000000\n";
  {
    Spawner late;
    EXPECT_EQ(late.run(program({"grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status"})).stdout_text,
              "SigBlk:\t" + none + "SigIgn:\t" + none);
    EXPECT_EQ(late.run(shell("exit 7")).exit_code, 7);
  }
  sigprocmask(SIG_SETMASK, &old_mask, nullptr);
  sigaction(SIGPIPE, &old_pipe, nullptr);
  sigaction(SIGCHLD, &old_child, nullptr);
  EXPECT_EQ(run(actor("session", 0, "")).stdout_text, "1 1");
}

TEST(Spawner, IsARunProcess) {
  const RunProcess run_process = make_run_process(early_spawner());
  EXPECT_EQ(run_process(shell("echo yes; exit 3")).stdout_text, "yes\n");
}

TEST(Spawner, ThrowsOnceTheSupervisorIsDead) {
  Spawner doomed;
  kill(doomed.supervisor_pid(), SIGKILL);
  EXPECT_THROW(
      {
        for (int i = 0; i < 1000; ++i) {  // it takes the kernel a moment
          doomed.run(program({"true"}));
        }
      },
      Error);
  EXPECT_EQ(run(program({"true"})).exit_code, 0);
}

}  // namespace
}  // namespace perf
