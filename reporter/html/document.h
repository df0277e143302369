#pragma once

#include <optional>
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

/// What a page adds to a row.
struct RowDress {
  Attributes attributes{};  ///< of the row and its remarks
  std::string link{};       ///< where its first cell leads: "#w3"; none: nowhere
  std::vector<std::optional<double>> values{};  ///< of each cell, by which the column is sorted
  std::string picture{};                        ///< HTML of one more cell
};

/// What a page adds to a table.
struct TableDress {
  Attributes attributes{};                ///< of the table
  std::optional<std::size_t> pictures{};  ///< the column before which the pictures stand
  std::string picture_head{};             ///< HTML
  std::vector<RowDress> rows{};           ///< as many as the table has, or none
};

/// A table that scrolls sideways in its own box. Every row is a <tbody> of its own, with its
/// remarks in a second line, so that a script which sorts or hides rows takes both. Class
/// "sortable" among the table's makes list.js sort it; `data-filter` (what the rows are) makes it
/// filter by `data-name` and `data-state` of the rows.
std::string html_table(const Table& table, const TableDress& dress = {});

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

/// A whole page around a body that is HTML already: style and scripts inlined, and a policy that
/// lets it load nothing and run no other script. `title` is plain text.
std::string page(const std::string& title, const std::string& body);

}  // namespace perf::reporter::html
