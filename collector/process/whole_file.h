#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string_view>
#include <system_error>

#include "schema/files/content.h"

namespace perf {

/// Makes or replaces a file, whole or not at all: the text stands under the name `fresh`, in the
/// same folder, and on the disk, before it gets the name `file`. Follows no link at `fresh`.
/// Answers what stopped it, if anything did; then `fresh` is gone and `file` as it was.
std::error_code write_whole_file(const std::filesystem::path& file,
                                 const std::filesystem::path& fresh, std::string_view text,
                                 mode_t mode);

}  // namespace perf
