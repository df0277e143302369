#pragma once

#include <string>
#include <string_view>
#include <system_error>

namespace perf {

/// Writes at the end of a file that is there: a pipe, a device, or what is to be kept. The reader
/// of a pipe that mkfifo made is waited for, and so is one that is slow, until a signal asks to
/// stop: from then on for a second. Without a reader: no_such_device_or_address or timed_out.
std::error_code write_for_reader(const std::string& file, std::string_view text);

}  // namespace perf
