#include "ci/cli/init/shell_line.h"

#include <sstream>

namespace perf {
namespace {

/// Words up to what ends a command in sh(1).
std::vector<std::string> shell_words(std::string_view line) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = 0;
  const auto end_word = [&] {
    if (in_word) {
      words.push_back(word);
    }
    word.clear();
    in_word = false;
  };
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char one = line[i];
    if (quote != 0) {
      if (one == quote) {
        quote = 0;
      } else if (one == '\\' && quote == '"' && i + 1 < line.size()) {
        word += line[++i];
      } else {
        word += one;
      }
    } else if (one == '\'' || one == '"') {
      quote = one;
      in_word = true;
    } else if (one == '\\' && i + 1 < line.size()) {
      word += line[++i];
      in_word = true;
    } else if (one == ' ' || one == '\t' || one == '\r') {
      end_word();
    } else if (std::string_view(";&|<>").find(one) != std::string_view::npos ||
               (one == '#' && !in_word)) {
      break;
    } else {
      word += one;
      in_word = true;
    }
  }
  end_word();
  return words;
}

/// Where the words behind the program begin; npos where the line does not run it.
std::size_t behind(std::string_view program, const std::string& line) {
  const std::size_t at = line.find(std::string(program) + " ");
  if (at == std::string::npos || line.substr(0, at).find('#') != std::string::npos) {
    return std::string::npos;
  }
  // Not a package that is installed, or a text about it.
  const std::string before = line.substr(0, at);
  for (const char* other : {"install ", "echo ", "apt", "cargo ", "brew ", "uses:"}) {
    if (before.find(other) != std::string::npos) {
      return std::string::npos;
    }
  }
  const bool begins =
      at == 0 || std::string_view(" \t(@;&").find(line[at - 1]) != std::string::npos;
  return begins ? at + program.size() + 1 : std::string::npos;
}

}  // namespace

std::vector<ShellLine> lines_running(std::string_view program, std::string_view text) {
  std::vector<ShellLine> found;
  std::istringstream lines{std::string(text)};
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = ++number;
    for (std::string more; !line.empty() && line.back() == '\\' && std::getline(lines, more);) {
      ++number;
      line.back() = ' ';
      line += more;
    }
    const std::size_t at = behind(program, line);
    if (at != std::string::npos) {
      found.push_back({first, shell_words(std::string_view(line).substr(at))});
    }
  }
  return found;
}

}  // namespace perf
