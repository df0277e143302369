#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collector/collect.h"
#include "collector/process/process.h"
#include "collector/process/workload_output.h"

namespace perf {

/// Runs invocations as processes, by docs/protocol.md: the workload's `prepare`, then its command
/// and params, in its folder of the checkout, with PERF_COMPARE_OUT (not for `prepare`), _STEPS,
/// _WARMUP, _SEED and _CONFIG_DIR, a padding variable and the workload's own variables in the
/// environment. Output of other formats is read by docs/formats.md. Failures of the process or its
/// output become Invocation::failure, for a person; that of a pair's second attempt, which is
/// final, ends with what_to_try.
class WorkloadRunner : public Runner {
 public:
  /// `root` holds proc/ (for memory, steal and pressure); temporary folders are made under
  /// `temporary`, or the system's place for them. Another thread calls `run_process` for servers,
  /// with `beside` set.
  explicit WorkloadRunner(RunProcess run_process, std::filesystem::path root = "/",
                          std::filesystem::path temporary = {});

  /// Throws UsageError for a format that cannot be read, Error when no process can be started.
  Invocation run(const Workload& workload, const std::filesystem::path& directory,
                 Invocation invocation) override;

 private:
  /// Runs the command itself, and reads what it wrote.
  void run_command(const Workload& workload, const ProcessRequest& request, OutputWay way,
                   const OutputFiles& files, const std::filesystem::path& folder,
                   Invocation& invocation);
  /// The same beside the workload's server.
  void run_served(const Workload& workload, ProcessRequest request, OutputWay way,
                  const OutputFiles& files, const std::filesystem::path& folder,
                  Invocation& invocation);

  RunProcess run_process_;
  std::filesystem::path root_;
  std::filesystem::path temporary_;
  int device_failures_ = 0;  ///< of perf-device, in a row
};

/// Variables with the number of a CI job or a terminal. Workloads do not get them: else each job
/// would be another environment.
inline constexpr std::array<std::string_view, 42> kOfOneJob{"BUILD_DISPLAY_NAME",
                                                            "BUILD_ID",
                                                            "BUILD_NUMBER",
                                                            "BUILD_TAG",
                                                            "BUILD_URL",
                                                            "BUILDKITE_BUILD_ID",
                                                            "BUILDKITE_BUILD_NUMBER",
                                                            "BUILDKITE_JOB_ID",
                                                            "CI_JOB_ID",
                                                            "CI_JOB_STARTED_AT",
                                                            "CI_JOB_TOKEN",
                                                            "CI_JOB_URL",
                                                            "CI_PIPELINE_CREATED_AT",
                                                            "CI_PIPELINE_ID",
                                                            "CI_PIPELINE_IID",
                                                            "CI_PIPELINE_URL",
                                                            "CIRCLE_BUILD_NUM",
                                                            "CIRCLE_WORKFLOW_ID",
                                                            "GITHUB_ENV",
                                                            "GITHUB_OUTPUT",
                                                            "GITHUB_PATH",
                                                            "GITHUB_RUN_ATTEMPT",
                                                            "GITHUB_RUN_ID",
                                                            "GITHUB_RUN_NUMBER",
                                                            "GITHUB_STATE",
                                                            "GITHUB_STEP_SUMMARY",
                                                            "INVOCATION_ID",
                                                            "JOURNAL_STREAM",
                                                            "RUNNER_TRACKING_ID",
                                                            "SSH_CLIENT",
                                                            "SSH_CONNECTION",
                                                            "SSH_TTY",
                                                            "STY",
                                                            "TERM_SESSION_ID",
                                                            "TMUX",
                                                            "TMUX_PANE",
                                                            "TRAVIS_BUILD_ID",
                                                            "TRAVIS_BUILD_NUMBER",
                                                            "TRAVIS_JOB_ID",
                                                            "TRAVIS_JOB_NUMBER",
                                                            "WINDOWID",
                                                            "XDG_SESSION_ID"};

/// The workload's command with its params appended as `--key value`, sorted by key.
std::vector<std::string> command_of(const Workload& workload);

/// The folder of a checkout in which the processes of a workload run.
std::filesystem::path folder_of(const Workload& workload, const std::filesystem::path& directory);

/// What decides what a workload runs, and may name files: its command_of, folder, variables and
/// `prepare`.
std::vector<std::string> words_of_run(const Workload& workload);

/// A shell command that runs the workload in its checkout: "to reproduce: cd ...". Of variables
/// only the names appear. Commands are cut after kTriedLimit.
std::string what_to_try(const Workload& workload, const std::filesystem::path& directory);
inline constexpr std::size_t kTriedLimit = 160;  // B

/// Why a process failed; empty where it succeeded. `memory_kills`: how many processes the kernel
/// killed for lack of memory while it ran, where that is known.
std::string failure_of(const ProcessResult& process, double timeout,
                       std::optional<std::int64_t> memory_kills = std::nullopt);

/// A process under callgrind gets this many times its time: counting is about 50 times slower, but
/// takes fewer steps.
inline constexpr double kCountingSlowdown = 20;

/// Runs every process and its descendants under `valgrind --tool=callgrind`, and replaces the
/// processor's count of instructions in the result by callgrind's. To make counts repeat, OpenMP
/// and OpenBLAS get one thread, because the waiting of threads varies, and dynamic programs a clock
/// that advances by a constant at each reading (counted_clock.c), because the digits of printed
/// times vary. Valgrind emulates no AVX-512: where this processor has it, OpenBLAS is set to its
/// Haswell kernels. `folder` gets callgrind's files, for the caller to remove; `root` contains
/// proc/.
RunProcess under_callgrind(RunProcess run_process, std::filesystem::path folder,
                           std::filesystem::path root = "/");

/// The instructions (Ir) of a process, from callgrind's output (its manual, chapter "Callgrind
/// Format Specification", the `totals` line); absent where it is truncated.
std::optional<std::int64_t> instructions_in(std::string_view callgrind_output);

/// Throws Error, with the package to install, where valgrind does not run.
void require_callgrind(const RunProcess& run_process);

}  // namespace perf
