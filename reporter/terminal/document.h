#pragma once

#include <string>

#include "reporter/document.h"
#include "reporter/terminal/style.h"

namespace perf::reporter {

/// A document as a terminal shows it; folded sections are left out.
std::string terminal_document(const Document& document, const TerminalStyle& style);

}  // namespace perf::reporter
