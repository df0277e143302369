#pragma once

#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>

#include "schema/text/lists.h"

namespace perf {

inline constexpr std::string_view kBlanks = " \t\r";

/// A text without the blanks around it.
std::string_view trimmed(std::string_view text, std::string_view blanks = kBlanks);

/// Removes the next line from a text; returns it without its newline.
std::string_view take_line(std::string_view& text);

/// Removes the next word from a text, with the blanks before it; empty at the end.
std::string_view take_word(std::string_view& text, std::string_view blanks = kBlanks);

/// The whole text as a number, by std::from_chars: no blanks, no plus. The base is for integers.
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

/// "6.18.44-generic" -> "6.18": a patch release of a program seldom changes timings.
std::string major_minor(std::string_view release);

/// Letters of ASCII in lower case, whatever the locale.
constexpr char lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}
std::string lower(std::string_view text);

// The reason of a failure is its first line; the output of a program may follow.

/// A text up to its first newline.
inline std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

/// The text after the first newline; empty where there is none.
inline std::string further_lines(const std::string& text) {
  const std::size_t newline = text.find('\n');
  return newline == std::string::npos ? std::string() : text.substr(newline + 1);
}

/// The same for one line: the reason, the first line of the output, and the last, which often has
/// the place.
inline std::string on_one_line(const std::string& text) {
  const std::string further = further_lines(text);
  if (further.empty()) {
    return text;
  }
  const std::string said = first_line(further), last = text.substr(text.rfind('\n') + 1);
  return first_line(text) + ": " + said + (further == said ? "" : "; " + last);
}

}  // namespace perf
