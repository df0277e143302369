#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "collector/process/process.h"
#include "schema/files/descriptor.h"
#include "schema/workload.h"

namespace perf {

/// The workload with each {port} in its commands, parameters, variables and `ready` replaced.
/// Unchanged without a server.
Workload with_port(Workload workload, int port);

/// The TCP port at which the server is ready; 0: it has none.
int port_of(const Server& server);

/// The server of a workload while one of its processes runs.
class RunningServer {
 public:
  /// Starts it, unless its port is in use. `request`: the folder and variables of the workload.
  RunningServer(const Server& server, ProcessRequest request, RunProcess run_process);
  /// Stops it.
  ~RunningServer();
  RunningServer(const RunningServer&) = delete;
  RunningServer& operator=(const RunningServer&) = delete;

  /// Waits until it is ready; whether it is. An interruption ends the server, and so the wait.
  bool await();
  /// A descriptor that can be read once the server has ended.
  int ended() const { return ended_.number(); }
  /// Stops it and all that it started: SIGTERM, after kStopPatience SIGKILL. Returns why it failed;
  /// empty where it was ready, and ran until now. If the client failed, the server may have ended
  /// before, which is known a moment later.
  std::string stop(bool client_failed);
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
  unsigned long long started_;  ///< boot_ticks
  Descriptor stop_, ended_;
  mutable std::mutex mutex_;  ///< of the two below
  std::string printed_{};
  bool has_line_ = false;
  ProcessResult process_{};
  std::thread thread_{};
};

}  // namespace perf
