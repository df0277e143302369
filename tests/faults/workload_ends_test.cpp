// Workloads that do not end are gone two seconds after their deadline. Other load of the machine is
// allowed for.

#include <unistd.h>

#include "collector/process/process.h"
#include "tests/collector/process/bystander.h"
#include "tests/collector/process/processes.h"
#include "tests/faults/effort.h"
#include "tests/faults/failing_workloads.h"

namespace perf::test {
namespace {

using testing::actor;
using testing::Bystander;
using testing::count_marked;
using testing::early_spawner;
using testing::unique_marker;

constexpr double kPromised = 2;  // s

/// In full the limit; else a busy machine has more time.
double granted(double bystander) {
  return tries(0, 1) == 1 ? kPromised : testing::moment_beside(bystander);
}

/// A mode of process_actor, and the number of processes that it starts.
struct Evasion {
  const char* play;
  int number;
};

constexpr Evasion kEvasions[] = {
    {"deaf", 0},     {"stop", 0},   {"group", 0},   {"escape-and-hang", 20}, {"daemon", 0},
    {"brother", 0},  {"chain", 40}, {"vfork", 0},   {"threads", 20},         {"traced", 0},
    {"zombies", 50}, {"limits", 0}, {"regrow", 50}, {"run-away", 8},         {"sleepers", 1000},
};

TEST(WorkloadEnds, LeaveNoProcessBeyondTheDeadline) {
  const int repetitions = tries(1, 200);
  constexpr double kDeadline = 0.1;
  double latest_of_all = 0, latest_bystander = 0;
  for (const Evasion& evasion : kEvasions) {
    double latest = 0;
    for (int i = 0; i < repetitions; ++i) {
      const std::string marker = unique_marker();
      ProcessRequest request = actor(evasion.play, evasion.number, marker);
      request.timeout = kDeadline;
      const double deadline = monotonic_seconds() + kDeadline;
      Bystander bystander(deadline);
      const ProcessResult result = early_spawner().run(request);
      const double late = monotonic_seconds() - deadline, usual = bystander.delay();
      latest = std::max(latest, late);
      latest_bystander = std::max(latest_bystander, usual);
      EXPECT_LT(late, granted(usual)) << evasion.play << "; a process that does nothing, begun at "
                                      << "the deadline, took " << usual << " s";
      EXPECT_TRUE(result.timed_out) << evasion.play;
      EXPECT_EQ(count_marked(marker), 0) << evasion.play;
    }
    figure(std::string(evasion.play) + ", longest time beyond the deadline",
           std::to_string(latest) + " s of " + std::to_string(repetitions) + " tries");
    latest_of_all = std::max(latest, latest_of_all);
  }
  figure("longest time beyond the deadline", std::to_string(latest_of_all) +
                                                 " s; of a process that does nothing " +
                                                 std::to_string(latest_bystander) + " s");
}

TEST(WorkloadEnds, AreRecordedByTheProgram) {
  const std::string marker = unique_marker();
  const std::string late = "exceeded its timeout of 0.1 s and was killed";
  std::vector<FailingWorkload> workloads;
  for (const Evasion& evasion : kEvasions) {
    workloads.push_back({evasion.play,
                         {PROCESS_ACTOR, evasion.play, std::to_string(evasion.number), marker},
                         late,
                         "steps",
                         "0.1s"});
  }
  workloads.push_back(
      {"kill-group", {PROCESS_ACTOR, "kill-group", "0", marker}, "killed by signal 9 (SIGKILL)"});
  constexpr double kAttempts = 2;  // of each
  Bystander bystander;
  const double took = collect_failing(workloads);
  EXPECT_LT(took, kAttempts * static_cast<double>(workloads.size()) * kPromised +
                      testing::moment_beside(bystander.delay()));
  EXPECT_EQ(count_marked(marker), 0);
}

TEST(WorkloadEnds, DoNotWaitForSpecialFiles) {
  const std::string no_file = "PERF_COMPARE_OUT is not a regular file";
  const std::string out = " \"$PERF_COMPARE_OUT\"";
  const std::string link = "PERF_COMPARE_OUT is a symbolic link";
  collect_failing({
      {"fifo", by_shell("mkfifo" + out), no_file},
      {"folder", by_shell("mkdir" + out), no_file},
      {"link", by_shell("ln -s /etc/passwd" + out), link},
      {"link-to-device", by_shell("ln -s /dev/zero" + out), link},
      {"folder-removed", by_shell("rm -rf \"${PERF_COMPARE_OUT%/*}\""),
       "PERF_COMPARE_OUT was not written"},
      {"standard-output", by_shell("f=\"${PERF_COMPARE_OUT%/*}/stdout\"; rm \"$f\"; mkfifo \"$f\""),
       "standard output is not a regular file", "hyperfine"},
      {"closed", by_shell("exec >&- 2>&-; exit 5"), "exit status 5"},
  });
}

TEST(WorkloadEnds, StartWithThreeDescriptors) {
  // `ls` has the folder open, too.
  const std::string list = "[ \"$(ls /proc/self/fd | tr '\\n' ' ')\" = '0 1 2 3 ' ] && exit 42";
  collect_failing({{"steps", by_shell(list), "exit status 42"},
                   {"foreign", by_shell(list), "exit status 42", "hyperfine"}});
}

TEST(WorkloadEnds, EndTheRunWhereTheSupervisorIsKilled) {
  const std::string marker = unique_marker();
  ScratchRepository repository;
  repository.write("perf-compare.json",
                   R"({"workloads": [{"name": "w", "command": [")" PROCESS_ACTOR
                   R"(", "kill-supervisor", "0", ")" +
                       marker + R"("]}]})");
  repository.commit("Kill");
  const Outcome outcome = repository.perf_compare({"collect", "HEAD", "--pairs", "1"});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_NE(outcome.err.find("the process supervisor has died"), std::string::npos) << outcome.err;
  EXPECT_EQ(count_marked(marker), 0);
}

}  // namespace
}  // namespace perf::test
