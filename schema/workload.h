#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "schema/param.h"
#include "schema/text/words.h"

namespace perf {

/// The format of a workload that writes the protocol: it alone gets a number of steps.
inline constexpr std::string_view kStepsFormat = "steps";
/// The format of a workload without output: its whole process is the one step of an invocation.
inline constexpr std::string_view kProcessFormat = "process";

/// How a server shows that it is ready.
enum class ReadyBy {
  tcp,   ///< a port of this machine accepts connections
  http,  ///< a URL of this machine is answered with a status from 200 to 399
  line,  ///< a text appears in what it prints
  file,  ///< a file appears, below the folder of the workload
};

/// The key in the config.
template <>
inline constexpr std::array<std::string_view, 4> kWords<ReadyBy>{"tcp", "http", "line", "file"};

/// What runs beside each process of a workload.
struct Server {
  std::vector<std::string> command;
  ReadyBy ready_by = ReadyBy::tcp;
  std::string ready;    ///< that port, URL, text or file; {port} in any text is a free port
  double timeout = 30;  ///< s until it must be ready

  friend bool operator==(const Server&, const Server&) = default;
};

/// One benchmark: name, parameters, and the command that runs it.
struct Workload {
  std::string name;
  std::vector<std::string> command;  ///< argument vector, run in `cwd`; no shell
  std::string format = "steps";      ///< how its output is read: steps, process, or a foreign one
  Params params;                     ///< for the chosen size, appended as `--key value`
  double timeout = 300;              ///< s
  std::string outside{};             ///< digest of its files outside the history; empty: none
  /// Globs of files below the checkout that it reads, from the config: for tracing.
  std::vector<std::string> inputs{};
  double seconds = 0;           ///< s that it takes, by the config, for shards alone; 0: unknown
  std::string config_folder{};  ///< PERF_COMPARE_CONFIG_DIR; of this machine alone, and not stored
  std::string cwd{};            ///< below the checkout, without `.` and `..`; empty: its top
  std::map<std::string, std::string> env{};  ///< on top of inherited variables; empty: unset
  std::vector<std::string> prepare{};        ///< run before each process, not timed; empty: none
  std::optional<Server> serve{};             ///< started before each process, stopped after it
};

/// What the processes of a workload run and get, apart from parameters.
inline auto way_of_running(const Workload& workload) {
  return std::tie(workload.command, workload.format, workload.cwd, workload.env, workload.prepare,
                  workload.serve);
}

/// The program of the command: a path from the top of the checkout, or a name without a slash.
inline std::string program_of(const Workload& workload) {
  const std::string& program = workload.command.front();
  const bool is_relative = program.find('/') != std::string::npos && program.front() != '/';
  return is_relative && !workload.cwd.empty() ? workload.cwd + "/" + program : program;
}

}  // namespace perf
