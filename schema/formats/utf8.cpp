#include "schema/formats/utf8.h"

#include <cstddef>

namespace perf::formats {
namespace {

/// How many bytes follow a first byte; -1: none begins so.
int followers(unsigned char first) {
  if (first > 0 && first < 0x80) {
    return 0;
  }
  if (first >= 0xC2 && first < 0xE0) {
    return 1;
  }
  if (first >= 0xE0 && first < 0xF0) {
    return 2;
  }
  return first >= 0xF0 && first < 0xF5 ? 3 : -1;
}

/// The second byte rules out overlong forms, surrogates and what lies beyond U+10FFFF.
bool may_follow(unsigned char first, unsigned char second) {
  switch (first) {
    case 0xE0:
      return second >= 0xA0;
    case 0xED:
      return second < 0xA0;
    case 0xF0:
      return second >= 0x90;
    case 0xF4:
      return second < 0x90;
    default:
      return true;
  }
}

}  // namespace

bool is_utf8(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const auto first = static_cast<unsigned char>(text[at]);
    const int more = followers(first);
    if (more < 0 || at + static_cast<std::size_t>(more) >= text.size()) {
      return false;
    }
    for (int i = 1; i <= more; ++i) {
      const auto byte = static_cast<unsigned char>(text[at + static_cast<std::size_t>(i)]);
      if ((byte & 0xC0) != 0x80 || (i == 1 && !may_follow(first, byte))) {
        return false;
      }
    }
    at += static_cast<std::size_t>(more) + 1;
  }
  return true;
}

}  // namespace perf::formats
