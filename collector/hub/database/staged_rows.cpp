#include "collector/hub/database/rows.h"

namespace perf::hub {

using postgres::Connection;
using postgres::Rows;

void fill(Connection& connection, const std::string& table, const std::string& columns,
          const CopyText& rows) {
  connection.execute("DROP TABLE IF EXISTS pg_temp." + table);
  connection.execute("CREATE TEMP TABLE " + table + " (" + columns + ") ON COMMIT DROP");
  if (!rows.empty()) {
    connection.copy_in("COPY pg_temp." + table + " FROM STDIN", rows.rows());
  }
}

std::vector<std::int64_t> keys_of(Connection& connection, const std::string& query,
                                  std::size_t count) {
  std::vector<std::int64_t> keys(count);
  const Rows rows = connection.run(query);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    keys.at(static_cast<std::size_t>(rows.integer(i, 0))) = rows.integer(i, 1);
  }
  return keys;
}

std::string names_array(const std::vector<std::string>& names) {
  std::string text = "{";
  for (const std::string& name : names) {
    text += (text.size() == 1 ? "\"" : ",\"") + name + "\"";
  }
  return text + "}";
}

}  // namespace perf::hub
