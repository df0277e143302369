#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "schema/store/internal.h"
#include "schema/text/lists.h"

namespace perf::store {
namespace {

using Sum = std::array<char, sizeof(XXH128_canonical_t)>;  ///< as its canonical form orders it
using SumsByKey = std::unordered_map<std::int64_t, Sum>;
using SumsByTable = std::map<std::string, SumsByKey>;

std::string_view text_of(const Sum& sum) {
  return {sum.data(), sum.size()};
}

Sum sum_of(std::string_view text) {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(text.data(), text.size()));
  Sum sum;
  std::memcpy(sum.data(), canonical.digest, sum.size());
  return sum;
}

/// A text whose end cannot be mistaken.
void append(std::string& row, std::string_view text) {
  row += std::to_string(text.size());
  row += ':';
  row += text;
}

/// Appends the column that was reached, and its value, where that counts.
void append_value(Statement& reached, const Column& column, const SumsByTable& sums,
                  std::string& row) {
  const auto add = [&](std::string_view value) {
    append(row, column.name);
    append(row, value);
  };
  if (column.type == "TEXT") {
    std::optional<std::string> text;
    reached.read_on(text);
    if (text && (column.default_value.empty() || "'" + *text + "'" != column.default_value)) {
      add(*text);
    }
    return;
  }
  if (column.type == "REAL") {
    std::optional<double> number;
    reached.read_on(number);
    if (number) {
      add({reinterpret_cast<const char*>(&*number), sizeof *number});
    }
    return;
  }
  std::optional<std::int64_t> number;
  reached.read_on(number);
  if (!number || std::to_string(*number) == column.default_value) {
    return;
  }
  add(column.referred.empty() ? std::to_string(*number)
                              : text_of(sums.at(column.referred).at(*number)));
}

/// By name, because later versions may have them in another order; without the key, which is local
/// to a store unless it is a reference.
std::vector<Column> columns_that_count(const std::string& table) {
  std::vector<Column> columns = columns_of(table);
  std::erase_if(columns, [](const Column& column) {
    return column.name == "key" && column.referred.empty();
  });
  std::ranges::sort(columns, {}, &Column::name);
  return columns;
}

/// Adds the sums of a table's rows to `all`; answers them by key where others refer to them.
SumsByKey sums_of_rows(Connection& connection, const std::string& table, const std::string& key,
                       const SumsByTable& known, std::vector<Sum>& all) {
  const std::vector<Column> columns = columns_that_count(table);
  std::string sql = "SELECT " + (key.empty() ? "0" : quoted(key));
  for (const Column& column : columns) {
    sql += ", " + quoted(column.name);
  }
  SumsByKey sums;
  std::string row;
  Statement rows = connection.query(sql + " FROM main." + quoted(table));
  while (rows.next()) {
    std::int64_t at = 0;
    rows.read(at);
    row = table;
    for (const Column& column : columns) {
      append_value(rows, column, known, row);
    }
    all.push_back(sum_of(row));
    if (!key.empty()) {
      sums[at] = all.back();
    }
  }
  return sums;
}

}  // namespace

std::string content_digest(Connection& connection) {
  std::vector<Sum> all;
  SumsByTable sums;
  sums["environment"] = sums_of_rows(connection, "environment", "key", sums, all);
  sums_of_rows(connection, "environment_fact", {}, sums, all);
  for (const MergedTable& table : merged_tables()) {
    sums[table.name] = sums_of_rows(connection, table.name, table.key, sums, all);
  }
  std::ranges::sort(all);
  std::string text = joined(all, "", [](const Sum& sum) { return text_of(sum); });
  constexpr std::array<char, 17> kDigits{"0123456789abcdef"};
  std::string digest;
  for (const char byte : sum_of(text)) {
    const auto value = static_cast<unsigned char>(byte);
    digest += {kDigits[value >> 4U], kDigits[value & 15U]};
  }
  return digest;
}

}  // namespace perf::store
