#include <algorithm>
#include <cctype>
#include <optional>

#include "ci/cli/init/cmake_project.h"

namespace perf {
namespace {

/// Walks through the text; every step moves forward.
class CMakeReader {
 public:
  explicit CMakeReader(std::string_view text) : text_(text) {}

  std::vector<CMakeCommand> read() {
    std::vector<CMakeCommand> commands;
    while (!done()) {
      if (skip_comment()) {
        continue;
      }
      if (!is_name(peek())) {
        ++at_;
        continue;
      }
      const std::string name = read_name();
      at_ = std::min(text_.find_first_not_of(" \t", at_), text_.size());
      if (!done() && peek() == '(') {
        ++at_;
        commands.push_back({name, read_arguments()});
      }
    }
    return commands;
  }

 private:
  bool done() const { return at_ >= text_.size(); }
  char peek() const { return text_[at_]; }
  static bool is_name(char one) {
    return std::isalnum(static_cast<unsigned char>(one)) != 0 || one == '_';
  }

  std::string read_name() {
    std::string name;
    while (!done() && is_name(peek())) {
      name += static_cast<char>(std::tolower(static_cast<unsigned char>(text_[at_++])));
    }
    return name;
  }

  /// The inside of [[...]], [=[...]=]; nullopt where there is none here.
  std::optional<std::string> bracket() {
    std::size_t end = at_ + 1;
    while (end < text_.size() && text_[end] == '=') {
      ++end;
    }
    if (done() || peek() != '[' || end >= text_.size() || text_[end] != '[') {
      return std::nullopt;
    }
    const std::string close = "]" + std::string(end - at_ - 1, '=') + "]";
    const std::size_t closed = text_.find(close, end + 1);
    const std::string inside(text_.substr(end + 1, closed - end - 1));
    at_ = closed == std::string_view::npos ? text_.size() : closed + close.size();
    return inside;
  }

  bool skip_comment() {
    if (done() || peek() != '#') {
      return false;
    }
    ++at_;
    if (!bracket()) {
      at_ = std::min(text_.find('\n', at_), text_.size());
    }
    return true;
  }

  /// Up to one of the letters that end it; behind a backslash none does.
  std::string read_until(std::string_view ends) {
    std::string text;
    for (; !done() && ends.find(peek()) == std::string_view::npos; ++at_) {
      if (peek() == '\\' && at_ + 1 < text_.size()) {
        ++at_;
      }
      text += peek();
    }
    return text;
  }

  std::vector<std::string> read_arguments() {
    std::vector<std::string> arguments;
    for (int depth = 1; !done();) {
      if (skip_comment()) {
        continue;
      }
      if (std::optional<std::string> inside = bracket()) {
        arguments.push_back(std::move(*inside));
      } else if (peek() == '"') {
        ++at_;
        arguments.push_back(read_until("\""));
        ++at_;
      } else if (peek() == '(' || peek() == ')') {
        depth += text_[at_++] == '(' ? 1 : -1;
        if (depth == 0) {
          return arguments;
        }
      } else if (std::isspace(static_cast<unsigned char>(peek())) != 0) {
        ++at_;
      } else {
        arguments.push_back(read_until(" \t\r\n()#\""));
      }
    }
    return arguments;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// As far as a condition is made of names, NOT, AND or OR: comparisons and tests are passed over.
CMakeBranches read_condition(const std::vector<std::string>& condition,
                             const std::set<std::string>& switches) {
  static const std::set<std::string> tests{"COMMAND", "DEFINED",      "EXISTS", "IS_ABSOLUTE",
                                           "POLICY",  "IS_DIRECTORY", "TARGET", "TEST"};
  const auto joins = [](const std::string& word) { return word == "AND" || word == "OR"; };
  std::vector<std::string> on, off;
  CMakeBranches branches;
  bool negated = false;
  for (std::size_t i = 0; i < condition.size(); ++i) {
    const std::string& word = condition[i];
    if (word == "NOT" || joins(word)) {
      negated = word == "NOT" && !negated;
    } else if (tests.count(word) > 0) {
      ++i;
    } else if (i + 1 < condition.size() && !joins(condition[i + 1])) {
      i += 2;  // a comparison
    } else if (switches.count(word) > 0) {
      (negated ? off : on).push_back(word);
    } else if (!negated) {
      branches.names.insert(word);
    }
  }
  if (std::ranges::find(condition, "OR") != condition.end()) {
    branches.names.clear();
    on.resize(std::min<std::size_t>(on.size(), off.empty() ? 1 : 0));
  } else {
    off.resize(std::min<std::size_t>(off.size(), 1));
  }
  branches.on.insert(on.begin(), on.end());
  branches.else_on.insert(off.begin(), off.end());
  return branches;
}

}  // namespace

std::vector<CMakeCommand> read_cmake_commands(std::string_view text) {
  return CMakeReader(text).read();
}

bool follow_branches(const CMakeCommand& command, const std::set<std::string>& switches,
                     std::vector<CMakeBranches>& around) {
  static const std::set<std::string> ends{"endfunction", "endif", "endmacro"};
  const bool turns = command.name == "else" || command.name == "elseif";
  if (command.name == "if") {
    around.push_back(read_condition(command.arguments, switches));
  } else if (command.name == "function" || command.name == "macro") {
    around.emplace_back();
  } else if (turns && !around.empty()) {
    around.back() = {around.back().else_on, around.back().on, {}};
  } else if (ends.count(command.name) > 0 && !around.empty()) {
    around.pop_back();
  } else {
    return turns || ends.count(command.name) > 0;  // astray
  }
  return true;
}

std::string expand_cmake(std::string text, const CMakeVariables& variables) {
  constexpr std::size_t kLongest = 4000;
  for (std::size_t at = 0; (at = text.find("${", at)) != std::string::npos;) {
    const std::size_t end = text.find('}', at);
    if (end == std::string::npos || text.size() > kLongest) {
      break;
    }
    const auto known = variables.find(text.substr(at + 2, end - at - 2));
    if (known == variables.end()) {
      at = end;
    } else {
      text.replace(at, end + 1 - at, known->second);
      at += known->second.size();  // values were expanded when they were set
    }
  }
  return text;
}

}  // namespace perf
