#include "schema/shell_words.h"

#include <cstdio>

#include "schema/formats/utf8.h"

namespace perf {
namespace {

constexpr std::string_view kBare =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._/-=:,@%+";

/// Valid UTF-8 without control characters, those of C1 (U+0080 to U+009F) included.
bool is_printable(std::string_view text) {
  bool after_c2 = false;
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    if (byte < 0x20 || byte == 0x7F || (after_c2 && byte < 0xA0)) {
      return false;
    }
    after_c2 = byte == 0xC2;
  }
  return formats::is_utf8(text);
}

std::string escaped(std::string_view text) {
  std::string word = "$'";
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    if (letter == '\'' || letter == '\\') {
      word += '\\';
      word += letter;
    } else if (byte < 0x20 || byte >= 0x7F) {
      char octal[5];
      std::snprintf(octal, sizeof octal, "\\%03o", byte);
      word += octal;
    } else {
      word += letter;
    }
  }
  return word + "'";
}

}  // namespace

std::string shell_word(std::string_view argument) {
  if (!is_printable(argument)) {
    return escaped(argument);
  }
  // NAME=VALUE where a command stands is an assignment; an option is none.
  const bool assigns = argument.find('=') != std::string_view::npos && argument.front() != '-';
  if (!argument.empty() && !assigns &&
      argument.find_first_not_of(kBare) == std::string_view::npos) {
    return std::string(argument);
  }
  std::string word = "'";
  for (const char letter : argument) {
    word += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  }
  return word + "'";
}

}  // namespace perf
