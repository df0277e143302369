#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reporter/document.h"

namespace perf::reporter::html {

/// Names are ours, values are plain text: escaped as they are written.
using Attributes = std::vector<std::pair<std::string_view, std::string>>;

/// "<tag name="value">": what opens an element.
std::string open(std::string_view tag, const Attributes& attributes = {});

/// An element around content that is HTML already.
std::string element(std::string_view tag, const Attributes& attributes, const std::string& content);

/// An element around plain text.
std::string text_element(std::string_view tag, const Attributes& attributes, std::string_view text);

/// A sentence as HTML. Names out of data are code, sentences out of data are kept apart from the
/// direction of writing around them; what is shortened has its whole text as a tooltip.
std::string html_prose(const Prose& prose);

}  // namespace perf::reporter::html
