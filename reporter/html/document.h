#pragma once

#include <string>
#include <vector>

#include "reporter/document.h"
#include "reporter/html/table.h"

namespace perf::reporter::html {

/// How the report ended: the sentences of the headline under a mark of its mood, which is a sign
/// and a colour.
std::string headline_html(const Document& document);

/// A section with its heading, table, lines and commands; a folded one opens by a click, without a
/// script. `dress` is its table's.
std::string section_html(const Section& section, const TableDress& dress = {});

/// Lines, each a paragraph.
std::string lines_html(const std::vector<Prose>& lines);

/// The body of a page that says what the document says, in its order.
std::string document_body(const Document& document);

/// The headline without dress, for the title of the page.
std::string page_title(const Document& document);

}  // namespace perf::reporter::html
