#include "reporter/escape/visible.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "schema/text/utf8.h"

namespace perf::reporter {
namespace {

constexpr char32_t kControlPictures = 0x2400;
constexpr char32_t kDeletePicture = 0x2421;

struct Range {
  char32_t first, last;
};

/// Characters that show nothing by themselves but change what is seen around them, or hide text:
/// C1 controls, bidirectional formatting, zero-width characters, fillers, tags.
constexpr std::array<Range, 19> kInvisible{{
    {0x0080, 0x009F}, {0x00AD, 0x00AD}, {0x034F, 0x034F},   {0x061C, 0x061C},    {0x115F, 0x1160},
    {0x17B4, 0x17B5}, {0x180B, 0x180F}, {0x200B, 0x200B},   {0x200E, 0x200F},    {0x2028, 0x202E},
    {0x2060, 0x206F}, {0x3164, 0x3164}, {0xFEFF, 0xFEFF},   {0xFFA0, 0xFFA0},    {0xFFF0, 0xFFFB},
    {0xFFFE, 0xFFFF}, {0xE000, 0xF8FF}, {0xE0000, 0xE0FFF}, {0xF0000, 0x10FFFF},
}};

/// The property White_Space of Unicode, whole: log readers trim all of it from the start of a line.
constexpr std::array<Range, 10> kWhiteSpace{{
    {0x0009, 0x000D},
    {0x0020, 0x0020},
    {0x0085, 0x0085},
    {0x00A0, 0x00A0},
    {0x1680, 0x1680},
    {0x2000, 0x200A},
    {0x2028, 0x2029},
    {0x202F, 0x202F},
    {0x205F, 0x205F},
    {0x3000, 0x3000},
}};

/// Unicode TR11, wide and fullwidth blocks, coarsely.
constexpr std::array<Range, 9> kWide{{
    {0x1100, 0x115F},
    {0x2E80, 0x303E},
    {0x3041, 0xA4CF},
    {0xAC00, 0xD7A3},
    {0xF900, 0xFAFF},
    {0xFE30, 0xFE6F},
    {0xFF00, 0xFF60},
    {0x1F300, 0x1FAFF},
    {0x20000, 0x3FFFD},
}};

constexpr std::array<Range, 6> kCombining{{
    {0x0300, 0x036F},
    {0x0483, 0x0489},
    {0x0591, 0x05BD},
    {0x200C, 0x200D},
    {0x20D0, 0x20FF},
    {0xFE00, 0xFE0F},
}};

bool within(std::span<const Range> ranges, char32_t code) {
  return std::ranges::any_of(
      ranges, [code](const Range& range) { return code >= range.first && code <= range.last; });
}

std::size_t width_of(char32_t code) {
  if (within(kCombining, code)) {
    return 0;
  }
  return within(kWide, code) ? 2 : 1;
}

}  // namespace

std::string visible(std::string_view text) {
  std::string seen;
  seen.reserve(text.size());
  for (const char32_t code : decode_utf8(text)) {
    if (within(kWhiteSpace, code)) {
      seen += ' ';
    } else if (code < 0x20) {
      append_utf8(seen, kControlPictures + code);
    } else if (code == 0x7F) {
      append_utf8(seen, kDeletePicture);
    } else if (within(kInvisible, code)) {
      seen += fmt::format("<U+{:04X}>", static_cast<unsigned>(code));
    } else {
      append_utf8(seen, code);
    }
  }
  return seen;
}

std::string escape_unseen(std::string_view json) {
  constexpr char32_t kTwoUnits = 0x10000;
  std::string text;
  text.reserve(json.size());
  const auto add = [&text](char32_t unit) {
    text += fmt::format("\\u{:04x}", static_cast<unsigned>(unit));
  };
  const auto is_plain = [](char c) { return static_cast<unsigned char>(c) < 0x7F; };
  for (std::size_t i = 0; i < json.size();) {
    std::size_t end = i;
    while (end < json.size() && is_plain(json[end])) {
      ++end;
    }
    text += json.substr(i, end - i);
    i = end++;
    if (i == json.size()) {
      break;
    }
    end = character_start(json, end);
    std::string_view rest = json.substr(i, end - i);
    const auto [character, code] = take_character(rest);
    const bool is_unseen =
        code == 0x7F || within(kInvisible, code) || (code >= 0x200C && code <= 0x200D);
    if (!is_unseen) {
      text += character;
    } else if (code < kTwoUnits) {
      add(code);
    } else {
      add(0xD800 + ((code - kTwoUnits) >> 10));
      add(0xDC00 + ((code - kTwoUnits) & 0x3FF));
    }
    i = end;
  }
  return text;
}

std::string one_line(std::string_view text) {
  std::string line;
  for (const char c : visible(text)) {
    if (c != ' ' || (!line.empty() && line.back() != ' ')) {
      line += c;
    }
  }
  if (!line.empty() && line.back() == ' ') {
    line.pop_back();
  }
  return line;
}

std::string shortened(const std::string& text, std::size_t limit, std::optional<std::size_t> tail) {
  if (text.size() <= limit || display_width(text) <= limit) {
    return text;
  }
  const std::vector<char32_t> codes = decode_utf8(text);
  const std::size_t room = limit > 1 ? limit - 1 : 0;
  const std::size_t end = std::min(tail.value_or(room / 2), room);
  std::size_t front = 0;
  for (std::size_t used = 0; front < codes.size(); ++front) {
    used += width_of(codes[front]);
    if (used > room - end) {
      break;
    }
  }
  std::size_t back = codes.size();
  for (std::size_t used = 0; back > front; --back) {
    used += width_of(codes[back - 1]);
    if (used > end) {
      break;
    }
  }
  std::string kept;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    if (i == front) {
      kept += "…";
    }
    if (i < front || i >= back) {
      append_utf8(kept, codes[i]);
    }
  }
  return kept;
}

std::optional<std::size_t> distinguishing_tail(const std::set<std::string>& texts,
                                               std::size_t limit) {
  const std::size_t room = limit > 1 ? limit - 1 : 0;
  for (std::size_t i = 0; i <= room; ++i) {
    const std::size_t tail = (room / 2 + i) % (room + 1);  // rather a longer one than a shorter
    std::set<std::string> kept;
    if (std::ranges::all_of(texts, [&](const std::string& text) {
          return kept.insert(shortened(text, limit, tail)).second;
        })) {
      return tail;
    }
  }
  return std::nullopt;
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (const char32_t code : decode_utf8(text)) {
    width += width_of(code);
  }
  return width;
}

}  // namespace perf::reporter
