#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace perf::formats {

/// Where in a text: both 1-based, the column in bytes.
struct TextPosition {
  std::size_t line = 1;
  std::size_t column = 1;
};
TextPosition position_of(std::string_view text, std::size_t offset);

/// "perf-compare.json:4:7".
std::string place_of(std::string_view text, std::size_t offset, const std::string& filename);

}  // namespace perf::formats
