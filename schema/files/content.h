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

/// Appends what an open file has, until the text has `limit` bytes. 0, or the errno of the read
/// that failed.
int read_up_to(int file, std::size_t limit, std::string& text);

/// Writes all of a text to an open file, however little each call takes; what stopped it, if
/// anything did.
std::error_code write_all(int file, std::string_view text);

/// The size of an open regular file, in bytes; nothing of anything else.
std::optional<std::uintmax_t> regular_size(const Descriptor& file);

/// All of a file; empty where it cannot be read.
std::string content_of(const std::filesystem::path& file);

/// Whether both files can be read and hold the same.
bool has_same_bytes(const std::filesystem::path& one, const std::filesystem::path& other);

/// Copies a file over what is there, once more where a signal came first.
std::error_code copy_over(const std::filesystem::path& from, const std::filesystem::path& to);

/// The error that errno tells.
std::error_code last_error();

/// Whether an errno of opening or reading a file says that the disk or the system failed, and not
/// that the file's name was asked wrongly: exit code 3, not 2.
bool is_system_fault(int error);

/// Throws the Error of a file that the disk fails to read; `error` is the errno.
[[noreturn]] void refuse_unreadable(const std::string& file, int error);

}  // namespace perf
