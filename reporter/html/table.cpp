#include "reporter/html/table.h"

#include <fmt/format.h>

#include <cmath>

#include "reporter/html/element.h"

namespace perf::reporter::html {
namespace {

Attributes aligned(Attributes attributes, Align align) {
  if (align == Align::right) {
    attributes.emplace_back("class", "right");
  }
  return attributes;
}

std::string head(const Table& table, const TableDress& dress) {
  std::string cells;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (dress.pictures == i) {
      cells += element("th", {{"scope", "col"}, {"class", "drawn"}}, dress.picture_head);
    }
    const Column& column = table.columns[i];
    cells += text_element("th", aligned({{"scope", "col"}}, column.align), column.title);
  }
  return "<thead><tr>" + cells + "</tr></thead>\n";
}

/// The value behind a cell, by which its column is sorted.
Attributes sorted_by(const RowDress& dress, std::size_t column) {
  if (column >= dress.values.size() || !dress.values[column]) {
    return {};
  }
  const double value = *dress.values[column];
  return {{"data-value", std::isfinite(value) ? fmt::format("{}", value)
                         : value > 0          ? "1e999"
                                              : "-1e999"}};
}

std::string cells(const Row& row, const Table& table, const TableDress& table_dress,
                  const RowDress& dress) {
  std::string html;
  for (std::size_t i = 0; i < row.cells.size(); ++i) {
    if (table_dress.pictures == i) {
      html += element("td", {{"class", "drawn"}}, dress.picture);
    }
    std::string content = html_prose(row.cells[i]);
    if (i == 0 && !dress.link.empty()) {
      content = element("a", {{"href", dress.link}}, content);
    }
    const Align align = i < table.columns.size() ? table.columns[i].align : Align::left;
    Attributes attributes = aligned(sorted_by(dress, i), align);
    if (i == 0) {
      attributes.emplace_back("scope", "row");
    }
    html += element(i == 0 ? "th" : "td", attributes, content);
  }
  return html;
}

std::string remarks(const Row& row, std::size_t width) {
  std::string items;
  for (const Prose& remark : row.remarks) {
    items += element("li", {}, html_prose(remark));
  }
  return "<tr class=\"remarks\"><td colspan=\"" + std::to_string(width) + "\"><ul>" + items +
         "</ul></td></tr>";
}

}  // namespace

std::string html_table(const Table& table, const TableDress& dress) {
  static const RowDress kPlain;
  const std::size_t width = table.columns.size() + (dress.pictures ? 1 : 0);
  std::string html =
      "<div class=\"scroll\">" + open("table", dress.attributes) + "\n" + head(table, dress);
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const Row& row = table.rows[i];
    const RowDress& row_dress = i < dress.rows.size() ? dress.rows[i] : kPlain;
    html += open("tbody", row_dress.attributes) + "<tr>" + cells(row, table, dress, row_dress) +
            "</tr>";
    if (!row.remarks.empty()) {
      html += remarks(row, width);
    }
    html += "</tbody>\n";
  }
  return html + "</table></div>\n";
}

}  // namespace perf::reporter::html
