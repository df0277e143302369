#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "schema/invocation.h"

namespace perf {

/// The lines of a failed build's output that show the reason: at most kErrorLines from the first
/// that looks like an error, or else its last kTailLines. Without colours, blank lines and
/// compilers' underlining.
std::vector<std::string> build_excerpt(std::string_view output);

/// The most important line of an excerpt: the first where that is an error, with the next where it
/// ends in a colon; else the last. Empty for an empty excerpt.
std::string main_line(const std::vector<std::string>& excerpt);

/// The excerpt of a log file, of a long one from its begin and end; empty without a file.
std::vector<std::string> excerpt_of_log(const std::filesystem::path& log);

/// What to do where a build failed because the machine lacked memory, space or a network; empty
/// where the commit may be the reason. `folder`: where the build wrote.
std::string remedy_of_machine(const ProcessResult& build, const std::vector<std::string>& excerpt,
                              const std::filesystem::path& folder);

inline constexpr std::size_t kErrorLines = 6;
inline constexpr std::size_t kTailLines = 20;

}  // namespace perf
