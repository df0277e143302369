#pragma once

#include <string>
#include <string_view>

namespace perf {

/// What a program wrote, made storable: each maximal part that is not well-formed UTF-8 (Unicode
/// 15, table 3-7), and each NUL, becomes U+FFFD.
std::string to_valid_text(std::string_view bytes);

/// For messages: valid text on one line, control characters as single spaces, trimmed, at most
/// `limit` bytes, cut between characters.
std::string to_one_line(std::string_view bytes, std::size_t limit = 200);

/// The last line that is not blank, made fit for a message; empty when there is none.
std::string last_line(std::string_view bytes);

/// The end of a program's output, for a message: its last line; if that is a hint ("hint: one of:
/// fp32, bf16"), from the nearest "error:" line before it on, else from the line before the hint
/// on, joined by "; ".
std::string last_words(std::string_view bytes);

}  // namespace perf
