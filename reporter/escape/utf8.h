#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace perf::reporter {

/// The code points of a text. Bytes that are no UTF-8 (overlong forms, surrogates and values past
/// U+10FFFF included) become U+FFFD, one for each byte that starts nothing.
std::vector<char32_t> decode_utf8(std::string_view text);

/// Appends a code point, which must be one that UTF-8 can hold.
void append_utf8(std::string& text, char32_t code);

}  // namespace perf::reporter
