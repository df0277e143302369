#pragma once

#include <string>
#include <vector>

#include "workloads/program/parameter.h"

namespace perf::workloads {

/// The parameter "backend": `before` (words of the workload's own, the first is the default), then
/// the backends that are built in. One that could be is refused with how to get it.
Parameter backend_parameter(std::vector<std::string> before = {});

/// The backend that is taken: what was asked for, or for "auto" the best that is built in.
std::string chosen_backend(const std::string& asked);

}  // namespace perf::workloads
