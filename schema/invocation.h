#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "schema/metric.h"
#include "schema/param.h"
#include "schema/text/words.h"

namespace perf {

/// Which end of a comparison an invocation measured.
enum class Side { base, head };

/// The word for it in the store and in JSON.
template <>
inline constexpr std::array<std::string_view, 2> kWords<Side>{"base", "head"};

/// One timed iteration inside an invocation.
struct Step {
  std::int64_t index = 0;
  bool warmup = false;
  double seconds = 0;
  std::optional<std::int64_t> rss;                       ///< B, resident after the step
  std::vector<std::pair<std::string, double>> phases{};  ///< name, s; no name twice in a step
};

/// A metric the workload reported about itself, one value an invocation.
struct MetricValue {
  Metric metric;
  double value = 0;
  bool judge = false;  ///< the workload requests a verdict on it
};

/// A workload's own check of its results.
struct Check {
  std::string name;
  bool passed = false;
  std::optional<double> error;
  std::optional<double> tolerance;
};

/// What is left of the steps of a block whose raw ones were pruned; s.
struct StepSummary {
  int timed = 0;   ///< steps there were, warm-up left out; the figures are theirs
  int warmup = 0;  ///< warm-up steps there were
  double median = 0, mean = 0, stddev = 0, min = 0, p90 = 0, max = 0;
};

/// One begin...end block of the protocol, or one entry of a foreign format.
struct Block {
  std::string workload;  ///< the name it reports
  Params params;
  std::optional<double> tokens_per_step;
  std::map<std::string, std::string>
      facts;  ///< its environment line: blas, blas_core, threads, ...
  std::vector<Step> steps;
  std::optional<StepSummary> pruned{};  ///< in place of pruned steps
  std::string skipped{};                ///< why it has no values; empty where it has some
  std::vector<MetricValue> metrics;
  std::vector<Check> checks;
};

/// How a process ended and what it used, by the kernel. Unknown is nullopt, never 0.
struct ProcessResult {
  std::optional<int> exit_code;  ///< absent when a signal ended it or it never started
  std::optional<int> signal;
  bool timed_out = false;
  std::string spawn_error;               ///< why it never started; empty when it did
  double wall = 0;                       ///< s, monotonic
  std::optional<double> user, system;    ///< s of CPU
  std::optional<std::int64_t> peak_rss;  ///< B
  std::optional<std::int64_t> minor_faults, major_faults;
  std::optional<std::int64_t> voluntary_switches, involuntary_switches;
  std::optional<double> steal;         ///< s stolen by the hypervisor over its life, whole machine
  std::optional<double> cpu_pressure;  ///< s of CPU pressure stall (some) over its life
  std::optional<std::int64_t> memory_available_before;  ///< B
  std::optional<std::int64_t> instructions{};  ///< retired in user mode, by it and its descendants
  std::string stdout_text;                     ///< captured, capped, invalid UTF-8 replaced
  std::string stderr_text;
  double stopped = 0;       ///< s of `wall` in which it was stopped on purpose; not stored
  int left_running = 0;     ///< descendants that outlived it and were killed; stored as a fact
  std::string memory_of{};  ///< of what peak_rss is, where several processes ran; stored as a fact
};

/// Facts of the first block that the collector states: ProcessResult::left_running, memory_of.
inline constexpr const char* kLeftRunning = "left_running";
inline constexpr const char* kMemoryOf = "memory_of";
/// memory_of: the sum was seen, or could not be.
inline constexpr const char* kAllProcesses = "all processes";
inline constexpr const char* kLargestProcess = "the largest of several processes";

/// And of the GPUs that it used: reasons for a lower clock, by name; why nothing is known of them;
/// that memory appeared which may be another's, where the driver lists no processes.
inline constexpr const char* kThrottleReasons = "device_throttle_reasons";
inline constexpr const char* kDeviceProblem = "device_problem";
inline constexpr const char* kDeviceShared = "device_shared";

/// A failure that is no process's fault begins so: its pair is tried again, up to kSharedAttempts.
inline constexpr const char* kDeviceInUse = "GPU in use by another process";
inline constexpr int kSharedAttempts = 3;

/// The members that the store keeps, in columns of their names. A new one needs a member, its name
/// here, a column (schema/sql) and its source (collector/process/spawner.cpp).
// clang-format off
#define PERF_PROCESS_COLUMNS(COLUMN)                                                          \
  COLUMN(exit_code) COLUMN(signal) COLUMN(timed_out) COLUMN(spawn_error) COLUMN(wall)         \
  COLUMN(user) COLUMN(system) COLUMN(peak_rss) COLUMN(minor_faults) COLUMN(major_faults)      \
  COLUMN(voluntary_switches) COLUMN(involuntary_switches) COLUMN(steal) COLUMN(cpu_pressure)  \
  COLUMN(memory_available_before) COLUMN(instructions)
// clang-format on

/// The end of a failure that was final begins so: a command that repeats it follows.
inline constexpr const char* kToReproduce = "to reproduce: ";

/// One process that ran a workload at a revision.
struct Invocation {
  std::string workload;  ///< the name in the config
  Side side = Side::head;
  std::string oid;               ///< the revision it measured
  int pair = 0;                  ///< 0-based pair this belongs to; both sides of a pair share it
  int attempt = 1;               ///< 1, or more when the pair was repeated
  std::int64_t start_order = 0;  ///< 0-based over the whole run
  bool paired = true;            ///< false: measured alone (new workloads, collect)
  int steps_wanted = 0;
  int warmup_wanted = 0;
  std::uint64_t seed = 0;         ///< PERF_COMPARE_SEED
  int padding = 0;                ///< B of random environment padding
  std::uint64_t layout_seed = 0;  ///< of the build it ran; not 0: relinked, see docs/layout.md
  bool counted = false;  ///< ran under a tool that counts its instructions: its times mean nothing
  bool traced = false;   ///< ran traced, to record its inputs: its values are no samples
  ProcessResult process;
  double took = 0;            ///< s of the clock, with starting it and reading its output
  std::string failure;        ///< why it does not count; empty when it does
  std::vector<Block> blocks;  ///< empty when it failed without usable output

  bool ok() const { return failure.empty(); }
  bool is_lost_to_others() const { return failure.starts_with(kDeviceInUse); }
  /// Its times are those of the unmodified revision.
  bool is_timed() const { return !counted && !traced && layout_seed == 0; }
};

/// What has been measured so far in one run, in start order.
struct Measurements {
  std::vector<Invocation> invocations;
  double measured = 0;  ///< s of the budget spent by invocations, without counted and traced ones
  bool budget_spent = false;  ///< the collector stopped a demand because the budget ended
  bool interrupted = false;   ///< stopped by a signal
};

}  // namespace perf
