#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace perf::formats {

/// A line of a text, without its end and the blanks around it.
struct TextLine {
  std::string_view text;
  std::size_t number = 1;  ///< 1-based
  std::size_t offset = 0;  ///< of its first character in the whole text, in bytes
};
std::vector<TextLine> lines_of(std::string_view text);

}  // namespace perf::formats
