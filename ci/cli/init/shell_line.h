#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace perf {

/// A command line of a script, its words without their quotes; variables stay as written.
struct ShellLine {
  std::size_t number = 0;          ///< of the line it begins on, from 1
  std::vector<std::string> words;  ///< behind the program
};

/// The lines of a script, a recipe or a CI job that run a program: its name is followed by a blank,
/// and stands at the start or behind a blank, and not in a comment. Lines that end with a backslash
/// go on in the next; a pipe, a redirection, `;`, `&` or a comment ends the words.
std::vector<ShellLine> lines_running(std::string_view program, std::string_view text);

}  // namespace perf
