#include "ci/cli/manual/paragraph.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "schema/text_parts.h"

namespace perf {

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
  const std::size_t status = std::min(footer.find("Exit status:"), footer.size());
  std::vector<std::string> found;
  for (const std::string_view part : {footer.substr(0, status), footer.substr(status)}) {
    std::string paragraph(trimmed(part, " \n"));
    std::ranges::replace(paragraph, '\n', ' ');
    if (!paragraph.empty()) {
      found.push_back(std::move(paragraph));
    }
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
