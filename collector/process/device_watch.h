#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collector/process/server.h"
#include "schema/invocation.h"

namespace perf {

/// Watches the GPUs that programs see while an invocation runs: `perf-device watch` beside it.
class DeviceWatch {
 public:
  /// Starts it, and waits for its first sample. `environment`: that of the invocation, which may
  /// choose the devices.
  DeviceWatch(const RunProcess& run_process,
              const std::vector<std::pair<std::string, std::string>>& environment);

  /// Ends it and adds to the invocation what the devices did, to its first block: metrics and facts
  /// of schema/. An invocation beside which another process computed fails. Returns whether the
  /// helper worked; else the invocation only gets the fact kDeviceProblem.
  bool finish(Invocation& invocation);

 private:
  RunningServer helper_;
};

/// States what the collector saw of a process, whatever the workload states; no value: nothing.
void state_fact(Invocation& invocation, const char* name, const std::string& value);

/// Adds what `perf-device watch` printed; whether it reported no problem.
bool take_device_lines(std::string_view output, Invocation& invocation);

}  // namespace perf
