#pragma once

#include <string>
#include <vector>

#include "reporter/document.h"
#include "reporter/markdown/capped_text.h"

namespace perf::reporter {

/// Where a sentence stands: a line can begin a block by accident, a heading is bold already.
enum class Place { line, cell, heading };

/// A sentence as GitHub-flavoured Markdown, escaped, without line ends.
std::string markdown_prose(const Prose& prose, Place place);

/// Adds sentences as one paragraph, a line each.
void add_lines(CappedText& text, const std::vector<Prose>& lines, bool first_to_cut);

/// Adds a section: table, remarks of its rows as a list, lines, commands as a code block; folded
/// sections in <details>.
void add_section(CappedText& text, const Section& section);

}  // namespace perf::reporter
