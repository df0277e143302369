#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace perf {

/// `name(argument argument)` of a CMakeLists.txt; the name in small letters.
struct CMakeCommand {
  std::string name;
  std::vector<std::string> arguments;  ///< quotes and brackets taken off, variables as written
};

/// The commands of a CMakeLists.txt (cmake-language(7)), in their order; comments are passed over.
/// What is no CMake gives fewer commands, never an error.
std::vector<CMakeCommand> read_cmake_commands(std::string_view text);

using CMakeVariables = std::map<std::string, std::string>;

/// `text` with each ${NAME} that is known replaced; unknown ones stay as they are.
std::string expand_cmake(std::string text, const CMakeVariables& variables);

}  // namespace perf
