#pragma once

#include <string>
#include <string_view>

namespace perf {

/// An argument as a shell reads it back, on one line: bare where that is safe, else in single
/// quotes; where bytes are no printable text, in $'...' (POSIX.1-2024, bash, zsh).
std::string shell_word(std::string_view argument);

}  // namespace perf
