#include "schema/text/text_parts.h"

#include <algorithm>

namespace perf {

std::string_view trimmed(std::string_view text, std::string_view blanks) {
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

std::string_view take_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  return line;
}

std::string_view take_word(std::string_view& text, std::string_view blanks) {
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(blanks));
  text.remove_prefix(word.size());
  return word;
}

std::string major_minor(std::string_view release) {
  const std::size_t dot = release.find('.');
  return std::string(release.substr(
      0, dot == release.npos ? dot : release.find_first_not_of("0123456789", dot + 1)));
}

std::string lower(std::string_view text) {
  std::string in_lower_case(text);
  std::ranges::transform(text, in_lower_case.begin(), [](char letter) { return lower(letter); });
  return in_lower_case;
}

}  // namespace perf
