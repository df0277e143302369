#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "collector/process/process.h"
#include "schema/files/descriptor.h"
#include "schema/workload.h"

namespace perf {

/// Runs processes that run beside others, each by a supervisor of its own and in the calling
/// thread. `interrupted`: as of Spawner.
RunProcess make_run_beside(std::function<bool()> interrupted = {});

/// A free TCP port of the loopback interface. Throws Error where none can be had.
int free_port();

/// The workload with each {port} in its commands, parameters, variables and `ready` replaced.
/// Unchanged without a server.
Workload with_port(Workload workload, int port);

/// The TCP port at which the server is ready; 0: it has none.
int port_of(const Server& server);

/// The server of a workload while one of its processes runs.
class RunningServer {
 public:
  /// Starts it, unless its port or its file is there already. `request`: the folder and variables
  /// of the workload.
  RunningServer(const Server& server, ProcessRequest request, RunProcess run_beside);
  /// Stops it.
  ~RunningServer();
  RunningServer(const RunningServer&) = delete;
  RunningServer& operator=(const RunningServer&) = delete;

  /// Waits until it is ready; whether it is.
  bool await();
  /// A descriptor that can be read once the server has ended.
  int ended() const { return ended_.number(); }
  /// Stops it and all that it started: SIGTERM, after kStopPatience SIGKILL. Returns why it failed;
  /// empty where it was ready, and ran until now.
  std::string stop();
  /// What it used, after stop.
  const ProcessResult& process() const { return process_; }

 private:
  bool is_ready() const;
  void take_output(std::string_view piece);
  std::string with_last_words(const std::string& failure);

  Server server_;
  std::filesystem::path file_{};  ///< `ready`, for `file`
  std::string file_before_{};     ///< the state of that file before the start
  std::string failure_{};
  Descriptor stop_, ended_;
  mutable std::mutex mutex_;  ///< of the two below
  std::string printed_{};
  bool has_line_ = false;
  ProcessResult process_{};
  std::thread thread_{};
};

}  // namespace perf
