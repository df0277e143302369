#pragma once

#include <string>

#include "reporter/document.h"
#include "reporter/markdown/capped_text.h"

namespace perf::reporter {

/// A document as GitHub-flavoured Markdown within the limit, cut on row borders.
std::string markdown_document(const Document& document, TextLimit limit = kCommentLimit);

}  // namespace perf::reporter
