#pragma once

#include <string>

namespace perf {

/// Of the libgit2 that this process runs with: "1.5.1".
std::string libgit2_version();

}  // namespace perf
