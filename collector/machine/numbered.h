#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

namespace perf {

/// The entries PREFIX0, PREFIX1, ... of a folder (cpu0, node1, thermal_zone2), in the order of
/// their numbers; none where there is no such folder.
std::vector<std::filesystem::path> numbered_entries(const std::filesystem::path& folder,
                                                    std::string_view prefix);

/// The whole number that a file's first line is; absent where it is none.
std::optional<std::int64_t> read_number(const std::filesystem::path& file);

/// The whole number that a text is, blanks around it left out.
std::optional<std::int64_t> whole_number(std::string_view text);

}  // namespace perf
