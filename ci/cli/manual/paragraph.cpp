#include "ci/cli/manual/paragraph.h"

#include <sstream>

namespace perf {
namespace {

constexpr std::string_view kExitStatus = "Exit status:";

}  // namespace

std::vector<std::string> wrapped(std::string_view text, std::size_t columns) {
  std::istringstream words{std::string(text)};
  std::vector<std::string> lines;
  for (std::string word; words >> word;) {
    if (lines.empty() || lines.back().size() + 1 + word.size() > columns) {
      lines.push_back(word);
    } else {
      lines.back() += " " + word;
    }
  }
  return lines;
}

std::vector<std::string> paragraphs(std::string_view footer) {
  const std::size_t status = footer.find(kExitStatus);
  std::vector<std::string> found;
  if (status != 0) {
    found.emplace_back(footer.substr(0, status));
  }
  if (status != std::string_view::npos) {
    found.emplace_back(footer.substr(status));
  }
  for (std::string& paragraph : found) {
    for (char& one : paragraph) {
      one = one == '\n' ? ' ' : one;
    }
    paragraph.erase(paragraph.find_last_not_of(' ') + 1);
  }
  if (!found.empty() && found.front().empty()) {
    found.erase(found.begin());
  }
  return found;
}

std::string definition(const std::string& term, std::string_view explanation, std::size_t column) {
  std::string text = "  " + term;
  bool below = text.size() + 2 > column;
  for (const std::string& line : wrapped(explanation, kHelpColumns - column)) {
    if (below) {
      text += "\n" + std::string(column, ' ');
    } else {
      text.append(column - text.size(), ' ');
    }
    text += line;
    below = true;
  }
  return text + "\n";
}

}  // namespace perf
