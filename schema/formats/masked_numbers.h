#pragma once

#include <string>
#include <string_view>

namespace perf::formats {

/// The text with every bare NaN, Infinity and -Infinity, which some programs write into JSON,
/// replaced by an empty JSON text and spaces of the same length: places stay right, and what wanted
/// a number there says so. What stands in quotes is left alone.
std::string mask_non_numbers(std::string_view text);

}  // namespace perf::formats
