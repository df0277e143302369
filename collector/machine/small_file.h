#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace perf {

/// More than any file of interest holds before what is of interest, in bytes.
inline constexpr std::size_t kSmallFile = 1 << 16;

/// The content of a file under /proc or /sys, at most `limit` bytes of it; absent when it cannot be
/// read or is no file. Never waits (a pipe in its place reads as absent).
std::optional<std::string> read_small_file(const std::filesystem::path& file,
                                           std::size_t limit = kSmallFile);

/// The first line, fit for a record (valid, no controls, at most 200 B); absent when blank.
std::optional<std::string> read_line_of(const std::filesystem::path& file);

}  // namespace perf
