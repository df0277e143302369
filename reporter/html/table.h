#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reporter/document.h"
#include "reporter/html/element.h"

namespace perf::reporter::html {

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

}  // namespace perf::reporter::html
