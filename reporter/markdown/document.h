#pragma once

#include <string>

#include "reporter/document.h"

namespace perf::reporter {

/// A document as GitHub-flavoured Markdown, at most 900 KiB, cut on row borders.
std::string markdown_document(const Document& document);

}  // namespace perf::reporter
