#pragma once

#include <string>
#include <string_view>

namespace perf {

/// What a program wrote, as UTF-8 without a byte order mark and without the colours of a terminal:
/// PowerShell's ">" writes UTF-16, and some tools colour what they write into a file. Lines stay
/// lines. Text of another encoding stays as it is.
std::string plain_text(std::string text);

}  // namespace perf
