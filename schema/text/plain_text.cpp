#include "schema/text/plain_text.h"

#include <algorithm>

#include "schema/text/utf8.h"

namespace perf {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr char kEscape = '\x1B', kBell = '\a';

enum class Encoding { other, utf16_little, utf16_big };

/// By the byte order mark, else by the zeros of four letters of ASCII.
Encoding encoding_of(std::string_view text) {
  constexpr std::size_t kLetters = 4;
  bool little = text.size() >= 2 * kLetters, big = little;
  for (std::size_t i = 0; (little || big) && i < 2 * kLetters; ++i) {
    little = little && (text[i] == 0) == (i % 2 == 1);
    big = big && (text[i] == 0) == (i % 2 == 0);
  }
  if (little || text.starts_with("\xFF\xFE")) {
    return Encoding::utf16_little;
  }
  return big || text.starts_with("\xFE\xFF") ? Encoding::utf16_big : Encoding::other;
}

/// RFC 2781. Half of a pair, and half of a unit at the end, become U+FFFD.
std::string from_utf16(std::string_view text, Encoding encoding) {
  constexpr char32_t kHigh = 0xD800, kLow = 0xDC00, kEnd = 0xE000, kBeyond = 0x10000;
  const std::size_t first = encoding == Encoding::utf16_little ? 0 : 1;
  const auto unit = [&](std::size_t at) -> char32_t {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
    return at + 1 < text.size() ? byte(first) | static_cast<char32_t>(byte(1 - first) << 8U)
                                : kReplacement;
  };
  std::string converted;
  converted.reserve(text.size() / 2);
  for (std::size_t at = 0; at < text.size(); at += 2) {
    char32_t code = unit(at);
    const char32_t next = code >= kHigh && code < kLow ? unit(at + 2) : 0;
    if (next >= kLow && next < kEnd) {
      code = kBeyond + ((code - kHigh) << 10U) + (next - kLow);
      at += 2;
    }
    append_utf8(converted, code >= kHigh && code < kEnd ? kReplacement : code);
  }
  return converted;
}

/// The end of the escape sequence that begins at `at` (ECMA-48, sections 5.4 and 5.6), at most the
/// end of the line.
std::size_t end_of_escape(std::string_view text, std::size_t at) {
  const std::size_t line_end = std::min(text.find('\n', at), text.size());
  const std::size_t begin = at + 1;
  if (begin < line_end && text[begin] == ']') {  // a string, such as a link
    const std::size_t bell = text.find(kBell, begin), next = text.find(kEscape, begin);
    const std::size_t end = bell < next ? bell + 1 : next + 2;
    return std::min(next == text.npos && bell == text.npos ? line_end : end, line_end);
  }
  std::size_t end = begin < line_end && text[begin] == '[' ? begin + 1 : begin;
  while (end < line_end && text[end] >= ' ' && text[end] <= '?') {
    ++end;
  }
  return std::min(end + 1, line_end);
}

void remove_escapes(std::string& text) {
  std::size_t kept = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == kEscape) {
      at = end_of_escape(text, at);
    } else {
      text[kept++] = text[at++];
    }
  }
  text.resize(kept);
}

}  // namespace

std::string plain_text(std::string text) {
  if (const Encoding encoding = encoding_of(text); encoding != Encoding::other) {
    text = from_utf16(text, encoding);
  }
  if (text.starts_with(kByteOrderMark)) {
    text.erase(0, kByteOrderMark.size());
  }
  if (text.find(kEscape) != text.npos) {
    remove_escapes(text);
  }
  return text;
}

}  // namespace perf
