// Nothing of a child outlives its run: whatever it forks, however it hides, and however it or the
// tool comes to an end. Bounds on time grow with what the machine itself takes.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <optional>

#include "bystander.h"
#include "collector/process/process.h"
#include "collector/process/spawner.h"
#include "processes.h"
#include "schema/error.h"

namespace perf {
namespace {

using testing::actor;
using testing::Bystander;
using testing::count_marked;
using testing::early_spawner;
using testing::moment_beside;
using testing::shell;
using testing::unique_marker;
using testing::wait_for_marked;

ProcessRequest within(ProcessRequest request, double timeout) {
  request.timeout = timeout;
  return request;
}

TEST(Survivors, AreFoundByTheMarker) {  // or the other tests could not fail
  const std::string marker = unique_marker();
  const pid_t child = fork();
  if (child == 0) {
    execl(PROCESS_ACTOR, PROCESS_ACTOR, "hang", "0", marker.c_str(), nullptr);
    _exit(127);
  }
  EXPECT_EQ(wait_for_marked(marker, 1), 1);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_EQ(count_marked(marker), 0);
}

TEST(Survivors, EndAtTheTimeout) {
  const std::string marker = unique_marker();
  const double deadline = monotonic_seconds() + 0.3;
  Bystander bystander(deadline);
  const ProcessResult result = early_spawner().run(within(actor("hang", 0, marker), 0.3));
  const double late = monotonic_seconds() - deadline;
  EXPECT_TRUE(result.timed_out);
  EXPECT_EQ(result.signal, SIGKILL);
  EXPECT_GE(result.wall, 0.3);
  EXPECT_LT(late, moment_beside(bystander.delay()));
  EXPECT_EQ(count_marked(marker), 0);
}

TEST(Survivors, EndAtTheTimeoutWhenStopped) {
  const std::string marker = unique_marker();
  const ProcessResult result = early_spawner().run(within(actor("stop", 0, marker), 0.3));
  EXPECT_TRUE(result.timed_out);
  EXPECT_EQ(count_marked(marker), 0);
}

TEST(Survivors, EndWithTheChildAsDaemons) {
  const std::string marker = unique_marker();
  Bystander bystander;
  const double started = monotonic_seconds();
  const ProcessResult result = early_spawner().run(actor("escape", 3, marker));
  const double took = monotonic_seconds() - started;
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_FALSE(result.timed_out);
  EXPECT_LT(took, moment_beside(bystander.delay()));
  EXPECT_EQ(count_marked(marker), 0);
}

// A moment is for helpers that end by themselves.
TEST(Survivors, AreCountedWhereTheyOutliveTheChild) {
  ProcessRequest request = shell("sleep 10 >/dev/null 2>&1 &");
  request.adds_memory = true;
  EXPECT_EQ(early_spawner().run(request).left_running, 1);
  request.command.back() = "sleep 0.01 >/dev/null 2>&1 &";
  ProcessResult helper = early_spawner().run(request);
  for (int tries = 1; tries < 20 && helper.left_running > 0; ++tries) {  // on a busy machine
    helper = early_spawner().run(request);
  }
  EXPECT_EQ(helper.left_running, 0);
  EXPECT_GE(helper.wall, 0.01) << "until its end";
  request.command.back() = "sleep 10 & wait $! & exit 0";
  EXPECT_GE(early_spawner().run(request).left_running, 1);
}

TEST(Survivors, EndAtTheTimeoutAsDaemons) {
  const std::string marker = unique_marker();
  const ProcessResult result = early_spawner().run(within(actor("escape-and-hang", 3, marker), 1));
  EXPECT_TRUE(result.timed_out);
  EXPECT_EQ(count_marked(marker), 0);
}

TEST(Survivors, EndAsTwoHundredDaemons) {
  const std::string marker = unique_marker();
  const ProcessResult result = early_spawner().run(actor("escape", 200, marker));
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(count_marked(marker), 0);
}

TEST(Survivors, EndAfterFortyGenerations) {
  const std::string marker = unique_marker();
  const ProcessResult result = early_spawner().run(within(actor("chain", 40, marker), 1));
  EXPECT_TRUE(result.timed_out);
  EXPECT_EQ(count_marked(marker), 0);
}

TEST(Survivors, EndWithoutProc) {
  const std::string marker = unique_marker();
  for (const char* proc_root : {"/no/such/proc", "/sys"}) {
    Spawner blind(proc_root);
    EXPECT_EQ(blind.run(actor("escape", 2, marker)).exit_code, 0);
    EXPECT_EQ(count_marked(marker), 0);
    EXPECT_EQ(blind.run(shell("exit 4")).exit_code, 4);
  }
}

TEST(Survivors, DoNotBlockTheToolByOpenPipes) {
  const std::string marker = unique_marker();
  Bystander bystander;
  const double started = monotonic_seconds();
  const ProcessResult result =
      early_spawner().run(shell("sh -c 'sleep 100; : " + marker + "' & echo started"));
  const double took = monotonic_seconds() - started;
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.stdout_text, "started\n");
  EXPECT_LT(took, moment_beside(bystander.delay()));
  EXPECT_EQ(count_marked(marker), 0);
}

TEST(Survivors, EndWhenInterrupted) {
  const std::string marker = unique_marker();
  Spawner spawner;
  double asked = 0;
  std::optional<Bystander> bystander;
  spawner.set_interrupted([&] {
    if (!bystander && count_marked(marker) == 3) {
      bystander.emplace(asked = monotonic_seconds());
    }
    return bystander.has_value();
  });
  const ProcessResult result = spawner.run(actor("escape-and-hang", 2, marker));
  const double took = monotonic_seconds() - asked;
  ASSERT_TRUE(bystander);
  EXPECT_EQ(result.signal, SIGKILL);
  EXPECT_FALSE(result.timed_out);
  EXPECT_LT(took, moment_beside(bystander->delay()));
  EXPECT_EQ(count_marked(marker), 0);
  spawner.set_interrupted({});
  EXPECT_EQ(spawner.run(shell("exit 5")).exit_code, 5);
}

TEST(Survivors, IgnoreALateCancel) {
  Spawner spawner;
  spawner.set_interrupted([] { return true; });
  for (int i = 0; i < 50; ++i) {
    const ProcessResult result = spawner.run(shell(":"));
    EXPECT_TRUE(result.exit_code == 0 || result.signal == SIGKILL);
  }
  spawner.set_interrupted({});
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(spawner.run(shell("exit 6")).exit_code, 6);
  }
}

std::atomic<bool> signal_came{false};

TEST(Survivors, EndAfterASignalToTheTool) {
  struct sigaction old {
  }, note{};
  note.sa_handler = [](int) { signal_came = true; };
  sigaction(SIGUSR1, &note, &old);
  Spawner spawner;
  spawner.set_interrupted([] { return signal_came.load(); });
  const std::string marker = unique_marker();
  const std::string script = "kill -USR1 " + std::to_string(getpid()) + "; sleep 100; : " + marker;
  EXPECT_EQ(spawner.run(shell(script)).signal, SIGKILL);
  EXPECT_EQ(count_marked(marker), 0);
  sigaction(SIGUSR1, &old, nullptr);
}

/// Runs a tool of its own (a fork) that something happens to once `wanted` marked processes are
/// there.
template <typename Happening>
void with_tool(const ProcessRequest& request, int wanted, Happening happening) {
  const std::string marker = request.command.back();
  int pipe_ends[2];
  ASSERT_EQ(pipe(pipe_ends), 0);
  const pid_t tool = fork();
  if (tool == 0) {
    Spawner spawner;
    const pid_t supervisor = spawner.supervisor_pid();
    [[maybe_unused]] const ssize_t said = write(pipe_ends[1], &supervisor, sizeof supervisor);
    try {
      spawner.run(request);
    } catch (const Error&) {
      _exit(3);
    }
    _exit(0);
  }
  pid_t supervisor = 0;
  ASSERT_EQ(read(pipe_ends[0], &supervisor, sizeof supervisor),
            static_cast<ssize_t>(sizeof supervisor));
  ASSERT_EQ(wait_for_marked(marker, wanted), wanted);
  happening(tool, supervisor);
  close(pipe_ends[0]);
  close(pipe_ends[1]);
}

TEST(Survivors, EndWithAKilledTool) {
  const std::string marker = unique_marker();
  with_tool(actor("escape-and-hang", 2, marker), 3, [](pid_t tool, pid_t) {
    kill(tool, SIGKILL);
    waitpid(tool, nullptr, 0);
  });
  EXPECT_EQ(wait_for_marked(marker, 0), 0);
}

/// Stopped nearly all of the time, whenever it is looked at.
ProcessRequest held(ProcessRequest request) {
  request.stop_and_go = {50, 0.1};
  return request;
}

TEST(Survivors, EndAtTheTimeoutWhilePaced) {
  const std::string marker = unique_marker();
  const ProcessResult result =
      early_spawner().run(held(within(actor("escape-and-hang", 2, marker), 1)));
  EXPECT_TRUE(result.timed_out);
  EXPECT_EQ(result.signal, SIGKILL);
  EXPECT_GT(result.stopped, 0.5 * result.wall);
  EXPECT_EQ(count_marked(marker), 0);
}

TEST(Survivors, EndWhenInterruptedWhilePaced) {
  const std::string marker = unique_marker();
  Spawner spawner;
  bool asked_to_stop = false;
  spawner.set_interrupted([&] {
    asked_to_stop = asked_to_stop || count_marked(marker) == 3;
    return asked_to_stop;
  });
  EXPECT_EQ(spawner.run(held(actor("escape-and-hang", 2, marker))).signal, SIGKILL);
  EXPECT_EQ(count_marked(marker), 0);
}

TEST(Survivors, EndWithAKilledToolWhileStopped) {
  const std::string marker = unique_marker();
  with_tool(held(actor("escape-and-hang", 2, marker)), 3, [](pid_t tool, pid_t) {
    kill(tool, SIGKILL);
    waitpid(tool, nullptr, 0);
  });
  EXPECT_EQ(wait_for_marked(marker, 0), 0);
}

TEST(Survivors, EndWithATerminatedSupervisor) {
  const std::string marker = unique_marker();
  int status = 0;
  with_tool(actor("escape-and-hang", 2, marker), 3, [&](pid_t tool, pid_t supervisor) {
    kill(supervisor, SIGTERM);
    waitpid(tool, &status, 0);
  });
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 3);
  EXPECT_EQ(wait_for_marked(marker, 0), 0);
}

TEST(Survivors, EndWithAKilledSupervisor) {
  const std::string marker = unique_marker();
  int status = 0;
  with_tool(actor("hang", 0, marker), 1, [&](pid_t tool, pid_t supervisor) {
    kill(supervisor, SIGKILL);
    waitpid(tool, &status, 0);
  });
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 3);
  EXPECT_EQ(wait_for_marked(marker, 0), 0);
}

TEST(Survivors, EndAfterKillingTheSupervisor) {
  const std::string marker = unique_marker();
  const pid_t tool = fork();
  if (tool == 0) {
    Spawner spawner;
    spawner.adopt_orphans();
    try {
      spawner.run(actor("kill-supervisor", 0, marker));
    } catch (const Error& error) {
      // At once: the daemon that it left, and that dies with nobody, has been ended by then.
      _exit(count_marked(marker) == 0 ? 3 : 4);
    }
    _exit(0);
  }
  int status = 0;
  waitpid(tool, &status, 0);
  EXPECT_TRUE(WIFEXITED(status)) << status;
  EXPECT_EQ(WEXITSTATUS(status), 3);
  EXPECT_EQ(count_marked(marker), 0);
}

TEST(Survivors, EndAtTheTimeoutWhereTheyStopTheSupervisor) {
  const std::string marker = unique_marker();
  Spawner spawner;
  ProcessRequest request = shell("kill -STOP $PPID; sleep 1000");
  request.command.push_back(marker);  // $0
  request.timeout = 0.5;
  EXPECT_TRUE(spawner.run(request).timed_out);
  EXPECT_EQ(count_marked(marker), 0);
  EXPECT_EQ(spawner.run(shell("exit 3")).exit_code, 3);
  kill(spawner.supervisor_pid(), SIGSTOP);  // its end must not wait for it
}

TEST(Survivors, EndWhereTheyStopTheSupervisorAgainAndAgain) {
  const std::string marker = unique_marker();
  const pid_t tool = fork();
  if (tool == 0) {
    Spawner spawner;
    spawner.adopt_orphans();
    ProcessRequest request = shell("p=$PPID; (while :; do kill -STOP $p; done) & sleep 1000");
    request.command.push_back(marker);
    request.timeout = 0.5;
    try {
      _exit(spawner.run(request).timed_out ? 3 : 0);
    } catch (const Error& error) {
      _exit(count_marked(marker) == 0 ? 3 : 4);
    }
  }
  int status = 0;
  waitpid(tool, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 3) << status;
  EXPECT_EQ(wait_for_marked(marker, 0), 0);
}

TEST(Survivors, AreGoneAfterAllTests) {
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), 0);  // the early supervisor is our only child
}

}  // namespace
}  // namespace perf
