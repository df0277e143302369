#pragma once

#include <string_view>

namespace perf {

/// Shell-like match of the whole text: `*` matches any run, `/` included, and `?` any character.
bool glob_match(std::string_view glob, std::string_view text);

}  // namespace perf
