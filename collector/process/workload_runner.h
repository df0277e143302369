#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collector/collect.h"
#include "collector/process/process.h"

namespace perf {

/// Runs invocations as real processes, by the protocol of docs/protocol.md: the command and its
/// params in the checkout, PERF_COMPARE_OUT, _STEPS, _WARMUP, _SEED and _CONFIG_DIR in the
/// environment, beside a padding variable of as many bytes as the invocation says. Output of other
/// formats is read as docs/formats.md says. Whatever goes wrong with the process or its output
/// becomes Invocation::failure, in words for a person; a pair's second failure, which is the one
/// that counts, says also what to try.
class WorkloadRunner : public Runner {
 public:
  /// `root` holds proc/ (for memory, steal and pressure); temporary folders are made under
  /// `temporary`, or the system's place for them.
  explicit WorkloadRunner(RunProcess run_process, std::filesystem::path root = "/",
                          std::filesystem::path temporary = {});

  /// Throws UsageError for a format that cannot be read, Error when no process can be started.
  Invocation run(const Workload& workload, const std::filesystem::path& directory,
                 Invocation invocation) override;

 private:
  RunProcess run_process_;
  std::filesystem::path root_;
  std::filesystem::path temporary_;
};

/// The workload's command with its params appended as `--key value`, sorted by key.
std::vector<std::string> command_of(const Workload& workload);

/// A line for a shell that runs the workload by hand, in its checkout: "try: cd ...". Of a command
/// longer than kTriedLimit the rest is left out.
std::string what_to_try(const Workload& workload, const std::filesystem::path& directory);
inline constexpr std::size_t kTriedLimit = 160;  // B

/// Why a process's end means that it measured nothing; empty when it ended well. `memory_kills`:
/// how many processes the kernel has killed for lack of memory while it ran, where that is known.
std::string failure_of(const ProcessResult& process, double timeout,
                       std::optional<std::int64_t> memory_kills = std::nullopt);

/// A process under callgrind gets this many times its time: counting is about 50 times slower, but
/// takes fewer steps.
inline constexpr double kCountingSlowdown = 20;

/// Runs every process under `valgrind --tool=callgrind`, descendants included, and puts the number
/// of instructions that they executed into the result, in place of the processor's. The processor
/// that valgrind emulates has no AVX-512, so that where this one has it, OpenBLAS is told to take
/// its Haswell kernels; OpenMP and OpenBLAS get one thread, because how long threads wait for each
/// other is never the same twice; and dynamic programs read a clock that goes on by as much at each
/// reading (counted_clock.c), because the digits of a time that is printed are never the same twice
/// either. `folder` gets callgrind's files, and is the caller's to remove;
/// `root` holds proc/. Timeouts are as the request says.
RunProcess under_callgrind(RunProcess run_process, std::filesystem::path folder,
                           std::filesystem::path root = "/");

/// The instructions (Ir) in all of a process, from what callgrind wrote (its manual, chapter
/// "Callgrind Format Specification", the `totals` line); absent where it was cut short.
std::optional<std::int64_t> instructions_in(std::string_view callgrind_output);

/// Throws Error, with the package to install, where valgrind cannot be run.
void require_callgrind(const RunProcess& run_process);

}  // namespace perf
