#pragma once

#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <vector>

namespace perf {

inline constexpr std::string_view kBlanks = " \t\r";

/// A text without the blanks around it.
std::string_view trimmed(std::string_view text, std::string_view blanks = kBlanks);

/// Takes the next line off a text; the answer is without its newline.
std::string_view take_line(std::string_view& text);

/// Takes the next word off a text, with the blanks ahead of it; empty where there is none left.
std::string_view take_word(std::string_view& text, std::string_view blanks = kBlanks);

/// Texts, with a separator between them.
std::string joined(const std::vector<std::string>& texts, std::string_view separator);

/// The number that a whole text is, as std::from_chars reads it: no blanks, no plus. The base is
/// that of integers.
template <class Number>
std::optional<Number> parsed(std::string_view text, [[maybe_unused]] int base = 10) {
  Number value{};
  std::from_chars_result read{};
  if constexpr (std::is_floating_point_v<Number>) {
    read = std::from_chars(text.data(), text.data() + text.size(), value);
  } else {
    read = std::from_chars(text.data(), text.data() + text.size(), value, base);
  }
  const bool all = read.ec == std::errc() && read.ptr == text.data() + text.size();
  return all ? std::optional<Number>(value) : std::nullopt;
}

/// Letters of ASCII in lower case, whatever the locale.
constexpr char lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}
std::string lower(std::string_view text);

// Why something failed is told in a line; what a program said of it may follow in further lines.

/// A text up to its first newline.
inline std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

/// What stands behind the first newline; empty where there is none.
inline std::string further_lines(const std::string& text) {
  const std::size_t newline = text.find('\n');
  return newline == std::string::npos ? std::string() : text.substr(newline + 1);
}

/// All of it that one line bears: what failed, the first line of what was said, and the last, which
/// says where to look.
inline std::string on_one_line(const std::string& text) {
  const std::string further = further_lines(text);
  if (further.empty()) {
    return text;
  }
  const std::string said = first_line(further), last = text.substr(text.rfind('\n') + 1);
  return first_line(text) + ": " + said + (further == said ? "" : "; " + last);
}

}  // namespace perf
