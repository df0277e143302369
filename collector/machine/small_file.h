#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perf {

/// More than any file of interest holds before what is of interest, in bytes.
inline constexpr std::size_t kSmallFile = 1 << 16;

/// The content of a file under /proc or /sys, at most `limit` bytes of it; empty when it cannot be
/// read or is no file. Never waits (a pipe in its place reads as empty).
std::string read_small_file(const std::filesystem::path& file, std::size_t limit = kSmallFile);

/// The first line, fit for a record (valid, no controls, at most 200 B).
std::string read_line_of(const std::filesystem::path& file);

/// Makes a value fit for a record and puts it among the facts, where it is not empty.
void put_fact(std::map<std::string, std::string>& facts, const std::string& name,
              std::string_view value);

/// The whole number that a file's first line is; absent where it is none.
std::optional<std::int64_t> read_number(const std::filesystem::path& file);

/// The whole number that a text is, blanks around it left out.
std::optional<std::int64_t> whole_number(std::string_view text);

/// The entries PREFIX0, PREFIX1, ... of a folder (cpu0, node1, thermal_zone2), in the order of
/// their numbers; none where there is no such folder.
std::vector<std::filesystem::path> numbered_entries(const std::filesystem::path& folder,
                                                    std::string_view prefix);

/// What stands behind NAME and a separator, blanks around both left out, in the first line that has
/// both; absent where none has. "flags : a b" of /proc/cpuinfo, ID=debian of os-release.
std::optional<std::string_view> value_named(std::string_view text, std::string_view name,
                                            char separator);

}  // namespace perf
