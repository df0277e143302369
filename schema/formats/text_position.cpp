#include "schema/formats/text_position.h"

#include <algorithm>

namespace perf::formats {

TextPosition position_of(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const std::size_t newline = before.rfind('\n');
  return {static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1,
          newline == std::string_view::npos ? before.size() + 1 : before.size() - newline};
}

std::string place_of(std::string_view text, std::size_t offset, const std::string& filename) {
  const TextPosition position = position_of(text, offset);
  return filename + ":" + std::to_string(position.line) + ":" + std::to_string(position.column);
}

}  // namespace perf::formats
