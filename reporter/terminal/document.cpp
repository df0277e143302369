#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "reporter/escape/visible.h"
#include "reporter/render.h"
#include "reporter/terminal/style.h"
#include "schema/text/lists.h"

namespace perf::reporter {
namespace {

constexpr std::size_t kRemarkIndent = 6;
constexpr std::size_t kGap = 2;  ///< columns between columns
constexpr std::size_t kWidestCell = 60;
constexpr std::size_t kNarrowestName = 16;

std::vector<std::size_t> natural_widths(const Table& table) {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    std::size_t width = table.columns[i].title.size();
    for (const Row& row : table.rows) {
      width = std::max(width, terminal_cell_width(row.cells[i], kWidestCell));
    }
    widths.push_back(width);
  }
  return widths;
}

/// Narrows the first column, which holds names, until the table fits, as far as that is possible.
std::vector<std::size_t> fitted_widths(const Table& table, std::size_t available) {
  std::vector<std::size_t> widths = natural_widths(table);
  const std::size_t taken =
      std::accumulate(widths.begin(), widths.end(), kIndent) + kGap * (widths.size() - 1);
  if (taken > available && widths[0] > kNarrowestName) {
    widths[0] -= std::min(taken - available, widths[0] - kNarrowestName);
  }
  return widths;
}

std::set<std::string> texts_in_front(const Table& table) {
  std::set<std::string> texts;
  for (const Row& row : table.rows) {
    for (const Span& span : row.cells.front()) {
      texts.insert(one_line(span.text));
    }
  }
  return texts;
}

std::string line_of(const std::vector<Prose>& cells, const Table& table,
                    const std::vector<std::size_t>& widths, const TerminalStyle& style) {
  std::string line(kIndent, ' ');
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::size_t width = terminal_cell_width(cells[i], widths[i]);
    const std::string padding(widths[i] > width ? widths[i] - width : 0, ' ');
    const std::string cell = terminal_cell(cells[i], widths[i], style);
    line += table.columns[i].align == Align::right ? padding + cell : cell + padding;
    line.append(i + 1 < cells.size() ? kGap : 0, ' ');
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

}  // namespace

std::string terminal_table(const Table& table, const TerminalStyle& style) {
  if (table.rows.empty()) {
    return {};
  }
  std::vector<std::size_t> widths = fitted_widths(table, style.width);
  TerminalStyle cut = style;  // so that no two names become one, if need be wider than is wanted
  const std::set<std::string> names = texts_in_front(table);
  cut.tail = distinguishing_tail(names, widths[0]);
  if (!cut.tail) {
    widths[0] = natural_widths(table)[0];
    cut.tail = distinguishing_tail(names, widths[0]);
  }
  std::vector<Prose> titles =
      mapped(table.columns, [&](const Column& column) { return Prose{dim(column.title)}; });
  std::string text = line_of(titles, table, widths, style);
  for (const Row& row : table.rows) {
    text += line_of(row.cells, table, widths, cut);
    for (const Prose& remark : row.remarks) {
      text += terminal_prose(remark, kRemarkIndent, style);
    }
  }
  return text;
}

}  // namespace perf::reporter

namespace perf {

std::string render_terminal(const reporter::Document& document, bool color) {
  using namespace reporter;
  const TerminalStyle style{color};
  std::string text = perf::joined(document.headline, "", [&](const Prose& sentence) {
    return terminal_prose(sentence, 0, style);
  });
  for (const Section& section : document.sections) {
    if (section.folded) {
      continue;
    }
    text += '\n';
    text += section.above.empty() ? "" : terminal_prose(section.above, 0, style);
    text += terminal_table(section.table, style);
    for (const Prose& line : section.lines) {
      text += terminal_prose(line, kIndent, style);
    }
  }
  if (!document.again.empty()) {  // on one line, to be copied
    constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();
    text += '\n' + std::string(kIndent, ' ') +
            terminal_cell({dim("again:"), " ", data(document.again.front())}, kUnlimited, style) +
            '\n';
  }
  return text;
}

}  // namespace perf
