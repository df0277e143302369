#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace perf {

/// Replaces invalid UTF-8.
inline constexpr char32_t kReplacement = 0xFFFD;
inline constexpr std::string_view kReplacementText = "\xEF\xBF\xBD";

/// One character of a text.
struct Character {
  std::string_view bytes;
  char32_t code = kReplacement;
};

/// Removes the first character from a text that is not empty. Of malformed UTF-8 (with overlong
/// forms, surrogates and codes past U+10FFFF) that is the maximal part which a character could
/// begin with (Unicode 15, section 3.9, table 3-8), and its code is U+FFFD.
Character take_character(std::string_view& text);

/// The code points of a text, by take_character.
std::vector<char32_t> decode_utf8(std::string_view text);

/// Appends a code point, which must be one that UTF-8 can hold.
void append_utf8(std::string& text, char32_t code);

/// Whether a text is UTF-8 without U+0000.
bool is_utf8(std::string_view text);

/// A control character of C0 or C1 (U+0080 to U+009F), or DEL.
constexpr bool is_control(char32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0);
}

/// Whether no character begins with a byte.
constexpr bool continues_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

/// The first place from `at` on where a character begins, or the text's end.
std::size_t character_start(std::string_view text, std::size_t at);

}  // namespace perf
