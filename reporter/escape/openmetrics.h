#pragma once

#include <string>
#include <string_view>

namespace perf::reporter {

/// Text as the value of a label in OpenMetrics, between its quotes: everything visible, and a
/// backslash before each backslash and quote.
std::string label_text(std::string_view text);

}  // namespace perf::reporter
