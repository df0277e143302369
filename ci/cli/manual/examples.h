#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace perf {

/// A command line as people write it, and what it does.
struct Example {
  std::string command;
  std::string what;
};

/// Examples of a command by its name; none for those that explain themselves. The command lines
/// read (a test parses each of them).
std::vector<Example> examples_of(std::string_view command);

}  // namespace perf
