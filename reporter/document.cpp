#include "reporter/document.h"

#include <cassert>

namespace perf::reporter {

std::size_t place_of(const Table& table, std::string_view title) {
  const auto found = std::ranges::find(table.columns, title, &Column::title);
  assert(found != table.columns.end());
  return static_cast<std::size_t>(found - table.columns.begin());
}

Column& column_named(Table& table, std::string_view title) {
  return table.columns.at(place_of(table, title));
}

void insert_column(Table& table, std::string_view before, Column column, std::vector<Prose> cells) {
  const auto place = static_cast<std::ptrdiff_t>(place_of(table, before));
  table.columns.insert(table.columns.begin() + place, std::move(column));
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    std::vector<Prose>& row = table.rows[i].cells;
    row.insert(row.begin() + place, std::move(cells.at(i)));
  }
}

void erase_column(Table& table, std::string_view title) {
  const auto place = static_cast<std::ptrdiff_t>(place_of(table, title));
  table.columns.erase(table.columns.begin() + place);
  for (Row& row : table.rows) {
    row.cells.erase(row.cells.begin() + place);
  }
}

}  // namespace perf::reporter
