#include "reporter/escape/utf8.h"

#include <array>

namespace perf::reporter {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

/// Length of the sequence a lead byte announces; 0 for a byte that starts none.
std::size_t sequence_length(unsigned char lead) {
  if (lead < 0x80) {
    return 1;
  }
  if (lead >= 0xC2 && lead <= 0xDF) {
    return 2;
  }
  if (lead >= 0xE0 && lead <= 0xEF) {
    return 3;
  }
  return lead >= 0xF0 && lead <= 0xF4 ? 4 : 0;
}

/// Reads one code point at `at` and moves past it; one byte is passed where none stands there.
char32_t next_code(std::string_view text, std::size_t& at) {
  constexpr std::array<char32_t, 5> smallest{0, 0, 0x80, 0x800, 0x10000};
  const auto lead = static_cast<unsigned char>(text[at++]);
  const std::size_t length = sequence_length(lead);
  if (length <= 1) {
    return length == 1 ? lead : kReplacement;
  }
  if (at + length - 1 > text.size()) {
    return kReplacement;
  }
  char32_t code = lead & (0x7FU >> length);
  for (std::size_t i = 0; i + 1 < length; ++i) {
    const auto byte = static_cast<unsigned char>(text[at + i]);
    if ((byte & 0xC0U) != 0x80U) {
      return kReplacement;
    }
    code = (code << 6U) | (byte & 0x3FU);
  }
  if (code < smallest[length] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) {
    return kReplacement;
  }
  at += length - 1;
  return code;
}

}  // namespace

std::vector<char32_t> decode_utf8(std::string_view text) {
  std::vector<char32_t> codes;
  codes.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    codes.push_back(next_code(text, at));
  }
  return codes;
}

void append_utf8(std::string& text, char32_t code) {
  const auto byte = [&text](char32_t value) { text += static_cast<char>(value); };
  if (code < 0x80) {
    byte(code);
  } else if (code < 0x800) {
    byte(0xC0 | (code >> 6U));
    byte(0x80 | (code & 0x3FU));
  } else if (code < 0x10000) {
    byte(0xE0 | (code >> 12U));
    byte(0x80 | ((code >> 6U) & 0x3FU));
    byte(0x80 | (code & 0x3FU));
  } else {
    byte(0xF0 | (code >> 18U));
    byte(0x80 | ((code >> 12U) & 0x3FU));
    byte(0x80 | ((code >> 6U) & 0x3FU));
    byte(0x80 | (code & 0x3FU));
  }
}

}  // namespace perf::reporter
