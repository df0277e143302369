#include "schema/text/utf8.h"

#include <utf8.h>

#include <algorithm>
#include <iterator>

namespace perf {
namespace {

bool is_well_formed(std::string_view text) {
  return utf8::is_valid(text.begin(), text.end());
}

/// Bytes of the character that a first byte announces.
std::size_t announced_by(unsigned char first) {
  return first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

/// How much of a broken character of `length` bytes could begin one: what is valid when filled up.
std::size_t broken_part(std::string_view text, std::size_t length) {
  for (std::size_t part = std::min(length - 1, text.size()); part > 1; --part) {
    if (is_well_formed(std::string(text.substr(0, part)).append(length - part, '\x80'))) {
      return part;
    }
  }
  return 1;
}

}  // namespace

Character take_character(std::string_view& text) {
  const auto first = static_cast<unsigned char>(text.front());
  const std::size_t length = announced_by(first);
  Character taken{text.substr(0, length)};
  if (length == 1) {
    taken.code = first;
  } else if (taken.bytes.size() == length && is_well_formed(taken.bytes)) {
    taken.code = utf8::peek_next(taken.bytes.begin(), taken.bytes.end());
  } else {
    taken.bytes = text.substr(0, broken_part(text, length));
  }
  text.remove_prefix(taken.bytes.size());
  return taken;
}

std::vector<char32_t> decode_utf8(std::string_view text) {
  std::vector<char32_t> codes;
  codes.reserve(text.size());
  while (!text.empty()) {
    codes.push_back(take_character(text).code);
  }
  return codes;
}

void append_utf8(std::string& text, char32_t code) {
  utf8::append(code, std::back_inserter(text));
}

bool is_utf8(std::string_view text) {
  return text.find('\0') == std::string_view::npos && is_well_formed(text);
}

std::size_t character_start(std::string_view text, std::size_t at) {
  while (at < text.size() && continues_character(text[at])) {
    ++at;
  }
  return std::min(at, text.size());
}

}  // namespace perf
