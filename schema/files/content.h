#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "schema/files/descriptor.h"

namespace perf {

/// Appends the content of an open file, until the text has `limit` bytes. Returns 0, or the errno
/// of the read that failed.
int read_up_to(int file, std::size_t limit, std::string& text);

/// Writes all of a text to an open file, in as many calls as needed; returns the error, if any.
std::error_code write_all(int file, std::string_view text);

/// The size of an open regular file, in bytes; nothing for other files.
std::optional<std::uintmax_t> regular_size(const Descriptor& file);

/// All of a file; empty where it cannot be read.
std::string content_of(const std::filesystem::path& file);

/// Whether both files can be read and have the same content.
bool has_same_bytes(const std::filesystem::path& one, const std::filesystem::path& other);

/// Copies a file over an existing one; repeated after a signal.
std::error_code copy_over(const std::filesystem::path& from, const std::filesystem::path& to);

/// The error in errno.
std::error_code last_error();

/// Whether an errno of opening or reading a file is a failure of the disk or the system, not a
/// usage error: exit code 3, not 2.
bool is_system_fault(int error);

/// Throws the Error of a failed read; `error` is the errno.
[[noreturn]] void refuse_unreadable(const std::string& file, int error);

}  // namespace perf
