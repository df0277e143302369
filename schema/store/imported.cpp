#include "schema/store/imported.h"

namespace perf::store {

void insert_imported(Connection& connection, std::int64_t run, const ImportedFrom& from) {
  connection.run(
      "INSERT INTO imported (run, format, source, digest, measured_at) "
      "VALUES (?1, ?2, ?3, ?4, ?5)",
      run, from.format, from.source, from.digest, from.measured_at);
}

std::optional<std::string> find_imported(Connection& connection, const std::string& digest) {
  return connection.value<std::string>(
      "SELECT run.id FROM imported JOIN run ON run.key = imported.run "
      "WHERE imported.digest = ?1 ORDER BY run.key LIMIT 1",
      digest);
}

}  // namespace perf::store
