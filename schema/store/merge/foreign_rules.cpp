#include "schema/store/merge/foreign_rules.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "schema/store/json_text.h"
#include "schema/store/merge/foreign_values.h"
#include "schema/store/report_columns.h"
#include "schema/store/report_details.h"
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

void read_params(const std::string& text) {
  params_from_json(text);
}

void read_facts(const std::string& text) {
  facts_from_json(text);
}

void read_lines(const std::string& text) {
  lines_from_json(text);
}

void read_numbers(const std::string& text) {
  numbers_from_json(text);
}

/// Reports are rendered again: their columns must read back too.
void read_policy(const std::string& text) {
  policy_from_json(text);
}

void read_phases(const std::string& text) {
  phases_from_json(text);
}

void read_checks(const std::string& text) {
  checks_from_json(text);
}

void read_targets(const std::string& text) {
  targets_from_json(text);
}

void read_workload_facts(const std::string& text) {
  workload_facts_from_json(text);
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

constexpr ReadColumn kReadColumns[] = {
    {"workload", "name", read_workload},
    {"workload", "params", read_params},
    {"workload", "command", read_lines},
    {"declaration", "workload", read_block_name},
    {"declaration", "params", read_params},
    {"declaration", "facts", read_facts},
    {"run", "policy", read_policy},
    {"run", "missing", read_lines},
    {"run", "warnings", read_lines},
    {"comparison", "workload", read_series},
    {"comparison", "params", read_params},
    {"comparison", "phases", read_phases},
    {"comparison", "checks", read_checks},
    {"comparison", "notes", read_lines},
    {"comparison", "warnings", read_lines},
    {"report", "workload_facts", read_workload_facts},
    {"report", "targets", read_targets},
    {"report", "warnings", read_lines},
    {"report", "reproduce", read_lines},
    {"calibrated_series", "workload", read_series},
    {"calibrated_series", "params", read_params},
    {"calibrated_series", "pair_changes", read_numbers},
    {"calibration", "not_measured", read_lines},
    {"alert", "workload", read_series},
    {"alert", "params", read_params},
};

/// A table whose column `details` must read back beside its column `warnings`.
struct DetailedTable {
  const char* table;
  void (*check)(std::string_view details, std::string_view warnings);
};

constexpr DetailedTable kDetailedTables[] = {
    {"comparison", check_comparison_details},
    {"report", check_report_details},
};

std::vector<std::string> texts(Statement rows) {
  std::vector<std::string> found;
  while (rows.next()) {
    rows.read(found.emplace_back());
  }
  return found;
}

void require_short_texts(Connection& connection, const std::string& file) {
  for (const std::string& table : texts(connection.query(
           "SELECT name FROM other.sqlite_schema WHERE type = 'table' ORDER BY name"))) {
    for (const std::string& column : texts(connection.query(
             "SELECT name FROM pragma_table_info(?1, 'other') WHERE type = 'TEXT'", table))) {
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
    for (const std::string& text : texts(connection.query(
             "SELECT DISTINCT " + std::string(column.column) + " FROM other." + column.table))) {
      try {
        column.read(text);
      } catch (const Error& error) {
        refuse(file, column.table, error.what);
      }
    }
  }
}

void require_details(Connection& connection, const std::string& file) {
  for (const DetailedTable& detailed : kDetailedTables) {
    Statement rows = connection.query("SELECT DISTINCT details, warnings FROM other." +
                                      std::string(detailed.table));
    for (std::string details, warnings; rows.next();) {
      rows.read(details, warnings);
      try {
        detailed.check(details, warnings);
      } catch (const Error& error) {
        refuse(file, detailed.table, error.what);
      }
    }
  }
}

}  // namespace

void require_sound_rows(Connection& connection, const std::string& file) {
  require_short_texts(connection, file);
  require_rules(connection, file);
  require_readable(connection, file);
  require_details(connection, file);
}

}  // namespace perf::store
