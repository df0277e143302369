#include "schema/store/merge/foreign_rules.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "schema/store/merge/foreign_values.h"
#include "schema/store/records.h"
#include "schema/store/stored_json.h"
#include "schema/workload_name.h"

namespace perf::store {
namespace {

/// Bytes of the longest text; our own are at most as long as what a workload writes, which readers
/// refuse from here on.
constexpr std::int64_t kLongestText = 64 << 20;

[[noreturn]] void refuse(const std::string& file, const std::string& table,
                         const std::string& why) {
  throw Error("table " + table + ": " + why + "; nothing of this file was taken", file,
              "it was not written by perf-compare: find out who changed it");
}

/// A column whose every text must read back.
struct ReadColumn {
  const char* table;
  const char* column;
  void (*read)(const std::string& text);
};

template <class Value>
void read(const std::string& text) {
  value_of<Value>(text);
}

/// Reports are rendered again, so theirs must read back too.
template <class Record>
void read_result(const std::string& text) {
  Record record;
  store::read_result(text, record);
}

void read_policy(const std::string& text) {
  policy_of(text);
}

void read_workload(const std::string& name) {
  if (const std::string fault = fault_in_workload_name(name); !fault.empty()) {
    throw Error("the name of a workload " + fault, name);
  }
}

/// `entry/child`, so longer than a workload's own name may be.
void read_series(const std::string& name) {
  if (name.size() > 2 * kLongestWorkloadName + 1) {
    throw Error("the name of a series is too long", name);
  }
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('/', begin), name.size());
    read_workload(name.substr(begin, end - begin));
    begin = end + 1;
  }
}

/// A block that gave itself no name has none.
void read_block_name(const std::string& name) {
  if (!name.empty()) {
    read_series(name);
  }
}

using Lines = std::vector<std::string>;
using Facts = std::map<std::string, std::string>;

constexpr ReadColumn kReadColumns[] = {
    {"workload", "name", read_workload},
    {"workload", "params", read<Params>},
    {"workload", "command", read<Lines>},
    {"declaration", "workload", read_block_name},
    {"declaration", "params", read<Params>},
    {"declaration", "facts", read<Facts>},
    {"run", "policy", read_policy},
    {"run", "missing", read<Lines>},
    {"run", "warnings", read<Lines>},
    {"comparison", "workload", read_series},
    {"comparison", "params", read<Params>},
    {"comparison", "warnings", read<Lines>},
    {"report", "result", read_result<Report>},
    {"calibrated_series", "workload", read_series},
    {"calibrated_series", "params", read<Params>},
    {"calibration", "result", read_result<Calibration>},
    {"alert", "workload", read_series},
    {"alert", "params", read<Params>},
};

void require_short_texts(Connection& connection, const std::string& file) {
  for (const auto& table : connection.values<std::string>(
           "SELECT name FROM other.sqlite_schema WHERE type = 'table' ORDER BY name")) {
    for (const auto& column : connection.values<std::string>(
             "SELECT name FROM pragma_table_info(?1, 'other') WHERE type = 'TEXT'", table)) {
      const auto longest = connection.value<std::optional<std::int64_t>>(
          "SELECT max(length(CAST(\"" + column + "\" AS BLOB))) FROM other.\"" + table + "\"");
      if (longest.value_or(0).value_or(0) > kLongestText) {
        refuse(file, table, "a text of " + std::to_string(**longest) + " bytes");
      }
    }
  }
}

void require_rules(Connection& connection, const std::string& file) {
  for (const Rule& rule : rules_of_values()) {
    if (connection.value<std::int64_t>("SELECT 1 FROM other." + std::string(rule.table) +
                                       " AS t WHERE NOT (" + rule.holds + ") LIMIT 1")) {
      refuse(file, rule.table, rule.broken);
    }
  }
}

void require_readable(Connection& connection, const std::string& file) {
  for (const ReadColumn& column : kReadColumns) {
    for (const auto& text : connection.values<std::string>(
             "SELECT DISTINCT " + std::string(column.column) + " FROM other." + column.table)) {
      try {
        column.read(text);
      } catch (const Error& error) {
        refuse(file, column.table, error.what);
      }
    }
  }
}

}  // namespace

void require_sound_rows(Connection& connection, const std::string& file) {
  require_short_texts(connection, file);
  require_rules(connection, file);
  require_readable(connection, file);
}

}  // namespace perf::store
