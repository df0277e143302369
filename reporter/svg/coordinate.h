#pragma once

#include <string>

namespace perf::reporter::svg {

/// A coordinate in tenths, which are finer than what anybody sees; 0 for what is not finite, and
/// never farther out than a million.
long tenths(double coordinate);

/// Appends it as SVG writes it, as short as it goes: "12.5", "-.3", "7".
void append_tenths(std::string& text, long tenths);

}  // namespace perf::reporter::svg
