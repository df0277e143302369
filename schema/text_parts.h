#pragma once

#include <charconv>
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

}  // namespace perf
