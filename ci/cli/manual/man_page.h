#pragma once

#include <string>
#include <string_view>

#include "ci/cli/options/command_tree.h"

namespace perf {

/// perf-compare.1, in the man(7) macros that groff and mandoc read.
std::string render_man_page(const CommandTree& tree);

/// Text of a man page, on one line: backslashes, dashes, quotes, and a dot or apostrophe that
/// begins it, stay what they are.
std::string roff_text(std::string_view text);

}  // namespace perf
