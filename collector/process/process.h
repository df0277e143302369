#pragma once

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "schema/invocation.h"

namespace perf {

/// Slows a process down on purpose: it is stopped repeatedly, for `share` of the time that it runs.
struct StopAndGo {
  double share = 0;   ///< stopped / run: 0.15 makes it take 15 % longer; 0 = let it run
  double period = 0;  ///< s from one stop to the next

  bool wanted() const { return share > 0 && period > 0; }
};

/// A child process to run to its end.
struct ProcessRequest {
  std::vector<std::string> command{};  ///< argument vector; command[0] is looked up in PATH, or
                                       ///< relative to `directory` when it has a slash
  std::filesystem::path directory{};   ///< working directory
  /// Set on top of the inherited environment; an empty value unsets the name.
  std::vector<std::pair<std::string, std::string>> environment{};
  double timeout = 0;                  ///< s; 0 = none. Kills the whole process group
  std::size_t stdout_limit = 1 << 16;  ///< B kept in memory; the rest is read and thrown away
  std::size_t stderr_limit = 1 << 16;  ///< B kept: the last ones
  std::filesystem::path log{};         ///< both streams are appended here as well, when not empty
  std::function<void(std::string_view)> on_output{};  ///< called with each piece of both streams
  /// When not empty, all standard output goes to this new file only, written by the process itself,
  /// so that no reader takes processor time.
  std::filesystem::path stdout_file{};
  /// Files that it may write, of at most `file_limit` bytes each: it is killed (SIGKILL) soon after
  /// one has grown beyond that, so that no output fills the disk. Checked several times a
  /// second.
  std::vector<std::filesystem::path> bounded_files{};
  std::uintmax_t file_limit = 0;
  /// A descriptor. Once it can be read the process gets SIGTERM, and kStopPatience later all of its
  /// processes SIGKILL; its result is then timed_out.
  int stop = -1;
  bool adds_memory = false;  ///< peak_rss is of all its processes together, where that is more
  StopAndGo stop_and_go{};   ///< slows it down on purpose, with all its descendants
  /// It runs while others do, under a supervisor of its own: another thread may request it. Its
  /// processor time is that of all its processes.
  bool beside = false;
};

inline constexpr double kStopPatience = 5;  ///< s from SIGTERM to SIGKILL

/// Whether a file that a process may write has grown beyond a limit, in bytes.
bool has_outgrown(const std::filesystem::path& file, std::uintmax_t limit);

/// Runs a process to its end. Failures of the process are in the result; throws Error only where
/// the machine cannot start processes at all.
using RunProcess = std::function<ProcessResult(const ProcessRequest&)>;

/// Seconds of CLOCK_MONOTONIC: never set back, the same for every process of the machine.
inline double monotonic_seconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace perf
