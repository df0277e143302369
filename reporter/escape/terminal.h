#pragma once

#include <string>
#include <string_view>

namespace perf::reporter {

/// Text for a terminal or a CI log: the visible form of `text`, without an ESC byte or any other
/// control. A backslash breaks what CI services take for a command in a log: `::error::` at the
/// start of a line, `##[error]` and its kin anywhere.
std::string terminal_text(std::string_view text);

}  // namespace perf::reporter
