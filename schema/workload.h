#pragma once

#include <string>
#include <vector>

#include "schema/param.h"

namespace perf {

/// One thing that is timed: name, parameters, and the command that runs it.
struct Workload {
  std::string name;
  std::vector<std::string> command;  ///< argument vector, run in the checkout; no shell
  std::string format = "steps";      ///< how its output is read: see schema/formats/
  Params params;                     ///< for the chosen size, appended as `--key value`
  double timeout = 300;              ///< s
};

}  // namespace perf
