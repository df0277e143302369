#include "schema/formats/text_lines.h"

#include <algorithm>

namespace perf::formats {

std::vector<TextLine> lines_of(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  std::vector<TextLine> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view whole = text.substr(begin, end - begin);
    const std::size_t first = std::min(whole.find_first_not_of(kBlanks), whole.size());
    const std::size_t length =
        first == whole.size() ? 0 : whole.find_last_not_of(kBlanks) + 1 - first;
    lines.push_back({whole.substr(first, length), lines.size() + 1, begin + first});
    begin = end + 1;
  }
  return lines;
}

}  // namespace perf::formats
