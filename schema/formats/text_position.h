#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "schema/error.h"
#include "schema/text/text_parts.h"
#include "schema/text/utf8.h"

namespace perf::formats {

/// More than anybody reads or writes: a longer text is refused.
inline constexpr std::size_t kLargestText = std::size_t{64} << 20;  ///< B

/// Where in a text: both 1-based, the column in bytes.
struct TextPosition {
  std::size_t line = 1;
  std::size_t column = 1;
};
inline TextPosition position_of(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const std::size_t newline = before.rfind('\n');
  return {static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1,
          newline == std::string_view::npos ? before.size() + 1 : before.size() - newline};
}

/// "perf-compare.json:4:7".
inline std::string place_of(std::string_view text, std::size_t offset,
                            const std::string& filename) {
  const TextPosition position = position_of(text, offset);
  return filename + ":" + std::to_string(position.line) + ":" + std::to_string(position.column);
}

/// What is wrong with a text whose reader adds the place: the line, or the whole file. Never leaves
/// a public function.
struct Fault {
  std::string what;
  std::string hint{};
};

/// Calls `take` for each line of a text, without its end; answers how many there are. Throws
/// UsageError with file:line for every Fault of `take`, and for bytes that are no UTF-8, with what
/// was `wanted` in their place.
template <class Take>
std::size_t for_each_line(std::string_view text, const std::string& filename,
                          const std::string& wanted, const Take& take) {
  std::size_t number = 0;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    ++number;
    try {
      if (!is_utf8(line)) {
        throw Fault{"bytes that are no UTF-8 text", wanted};
      }
      take(line);
    } catch (const Fault& fault) {
      throw UsageError(fault.what, filename + ":" + std::to_string(number), fault.hint);
    }
  }
  return number;
}

}  // namespace perf::formats
