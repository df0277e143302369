#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string_view>
#include <system_error>

#include "schema/files/content.h"

namespace perf {

/// Creates or replaces a file atomically: the text is written to `fresh`, in the same folder, and
/// synced to the disk before `fresh` is renamed to `file`. Follows no link at `fresh`. Returns the
/// error, if any; then `fresh` is removed and `file` unchanged.
std::error_code write_whole_file(const std::filesystem::path& file,
                                 const std::filesystem::path& fresh, std::string_view text,
                                 mode_t mode);

}  // namespace perf
