#pragma once

#include <filesystem>
#include <string>

#include "ci/cli/options/command_tree.h"

namespace perf {

/// `perf-compare --version`: one line.
std::string render_version(const CommandTree& tree);

/// `perf-compare --version --verbose`: that line, and what a report of a bug should say: commit,
/// compiler, libraries, what was left out of this build, and what is missing beside `program`.
std::string render_verbose_version(const CommandTree& tree, const std::filesystem::path& program);

}  // namespace perf
