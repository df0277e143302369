#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace perf {

/// Shell-like match of the whole text: `*` matches any run, `/` included, and `?` any character.
bool glob_match(std::string_view glob, std::string_view text);

/// Whether one of the globs matches; without globs everything does.
bool is_chosen(const std::vector<std::string>& globs, std::string_view text);

}  // namespace perf
