#pragma once

#include <string>

#include "reporter/document.h"

namespace perf::reporter::html {

/// A sentence as HTML. Names out of data are code, sentences out of data are kept apart from the
/// direction of writing around them; what is shortened has its whole text as a tooltip.
std::string html_prose(const Prose& prose);

}  // namespace perf::reporter::html
