#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "schema/invocation.h"

namespace perf {

/// What a failed build's output says of why: from the first line that reads like an error on, at
/// most kErrorLines; where none does, its last kTailLines. Each line is fit for a message: colours,
/// blank lines and a compiler's underlining are left out.
std::vector<std::string> build_excerpt(std::string_view output);

/// The line of such an excerpt that tells most: the first where it begins at an error, with the
/// next where that ends in a colon; else the last. Empty of none.
std::string telling_line(const std::vector<std::string>& excerpt);

/// The excerpt of a log; of one that is too long, its beginning and its end. Empty where there is
/// none.
std::vector<std::string> excerpt_of_log(const std::filesystem::path& log);

/// What to try where a build failed for what the machine lacked: memory, room or a network. Empty
/// where nothing tells that it was the machine, and not the commit. `said` are the lines of its log
/// that tell why it failed; `folder` is where it wrote.
std::string remedy_of_machine(const ProcessResult& build, const std::vector<std::string>& said,
                              const std::filesystem::path& folder);

inline constexpr std::size_t kErrorLines = 6;
inline constexpr std::size_t kTailLines = 20;

}  // namespace perf
