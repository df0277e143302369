#pragma once

#include <filesystem>

namespace perf::example {

/// A store as the program of version 4 left it, before history: one run of one invocation, with
/// blocks whose steps are hard to sum up, and one of `steps` more.
void make_version_4(const std::filesystem::path& file, int steps = 0);

}  // namespace perf::example
