#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "reporter/document.h"

namespace perf::reporter {

/// Columns before what stands below a title.
inline constexpr std::size_t kIndent = 2;

/// How a terminal is written to. Without colour no ESC byte leaves the program.
struct TerminalStyle {
  bool color = false;
  std::size_t width = 100;  ///< columns at which sentences wrap and tables shrink their names
  std::optional<std::size_t> tail{};  ///< columns of its end that a name keeps in a cell; none: half
};

/// A sentence, escaped, starting at column `indent` and wrapped at the style's width with all its
/// lines indented so; ends with a newline.
std::string terminal_prose(const Prose& prose, std::size_t indent, const TerminalStyle& style);

/// A sentence, escaped, on one line; names and data shortened to `limit` columns.
std::string terminal_cell(const Prose& prose, std::size_t limit, const TerminalStyle& style);

/// Columns that cell takes.
std::size_t terminal_cell_width(const Prose& prose, std::size_t limit);

/// An aligned table with a title row, each row's remarks below it.
std::string terminal_table(const Table& table, const TerminalStyle& style);

}  // namespace perf::reporter
