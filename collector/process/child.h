#pragma once

#include <sys/types.h>

#include <vector>

#include "collector/process/wire.h"

namespace perf {

/// A program to start: NUL-terminated texts that outlive the call.
struct ChildStart {
  const char* directory = nullptr;
  std::vector<char*> arguments;    ///< ended by nullptr
  std::vector<char*> environment;  ///< ended by nullptr
  int out = -1, err = -1;          ///< become its stdout and stderr; its stdin is /dev/null
};

/// What a child that could not start its program says through the failure pipe.
struct StartFailure {
  wire::Stage stage = wire::Stage::none;
  int error = 0;
};

/// Forks and executes. The child leads a session of its own, has default signal dispositions, an
/// empty signal mask and no descriptors but the three (all of the supervisor's are close-on-exec),
/// leaves no core dump, and dies with the supervisor. Plain fork, because the high-water mark of
/// memory that exec keeps is then the supervisor's few pages. Returns the process id, or -1 with
/// errno. A StartFailure arrives at `failure_pipe` when the program was not reached.
pid_t start_child(const ChildStart& start, int failure_pipe);

}  // namespace perf
