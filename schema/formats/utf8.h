#pragma once

#include <string_view>

namespace perf::formats {

/// Whether a text is UTF-8 without U+0000: no overlong forms, surrogates, or code points beyond
/// U+10FFFF (RFC 3629).
bool is_utf8(std::string_view text);

}  // namespace perf::formats
