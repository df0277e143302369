#pragma once

#include <string>
#include <string_view>

namespace perf::reporter {

/// Text for a text node or a quoted attribute of XML and of HTML: everything visible, then &, <, >
/// and both quotes as entities. Never within a script or a style.
std::string xml_text(std::string_view text);

}  // namespace perf::reporter
