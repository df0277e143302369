#pragma once

#include <filesystem>
#include <string>

#include "ci/cli/options/command_tree.h"

namespace perf {

/// `perf-compare --version`: one line.
std::string render_version(const CommandTree& tree);

/// `perf-compare --version --verbose`, for bug reports: also commit, compiler, libraries, disabled
/// features and the helpers missing beside `program`.
std::string render_verbose_version(const CommandTree& tree, const std::filesystem::path& program);

}  // namespace perf
