#pragma once

#include <string>
#include <string_view>

namespace perf {

/// "10%" -> 0.10, "0.5 %" -> 0.005. Throws UsageError naming `subject` for anything else.
double parse_percentage(std::string_view text, std::string_view subject);

/// The reverse: 0.10 -> "10%", to a ten-thousandth of a per cent.
std::string percentage_text(double share);

/// "250ms", "5s", "10m", "2h" -> seconds. Throws UsageError naming `subject` for anything else.
double parse_duration(std::string_view text, std::string_view subject);

/// The reverse, for whole seconds, in the largest exact unit: 600 -> "10m".
std::string duration_text(double seconds);

/// "100MiB", "2GB", "512 KiB", "7B" -> bytes. Throws UsageError naming `subject` for anything else.
double parse_byte_size(std::string_view text, std::string_view subject);

}  // namespace perf
