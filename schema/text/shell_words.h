#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perf {

/// An argument as a shell reads it back, on one line: bare where that is safe, else in single
/// quotes; where bytes are no printable text, in $'...' (POSIX.1-2024, bash, zsh).
std::string shell_word(std::string_view argument);

/// The arguments of a line of such words with one space between them; nothing for any other line,
/// so that it cannot contain other shell syntax.
std::optional<std::vector<std::string>> shell_words_of(std::string_view line);

/// The words of a command as a POSIX shell splits it (XCU, 2.2 and 2.3), and what in it only a shell
/// can do: a pipe, a variable, a glob, ...
struct SplitCommand {
  std::vector<std::string> words{};
  std::string of_shell{};  ///< "|"; empty: nothing
};
SplitCommand split_command(std::string_view text);

}  // namespace perf
