#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "schema/invocation.h"

namespace perf {

/// What to try where a build failed for what the machine lacked: memory or room on the disk. Empty
/// where nothing tells that it was the machine, and not the commit. `said` are the lines of its log
/// that tell why it failed; `folder` is where it wrote.
std::string remedy_of_machine(const ProcessResult& build, const std::vector<std::string>& said,
                              const std::filesystem::path& folder);

}  // namespace perf
