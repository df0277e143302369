#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "collector/hub/database/points.h"
#include "collector/postgres/connection.h"
#include "schema/payload_history.h"

namespace perf::hub {

/// Rows in the text format of COPY.
class CopyText {
 public:
  template <class... Values>
  void add(const Values&... values) {
    (add_value(values), ...);
    rows_.back() = '\n';
  }
  const std::string& rows() const { return rows_; }
  bool empty() const { return rows_.empty(); }

 private:
  template <class Value>
  void add_value(const Value& value) {
    if constexpr (std::is_same_v<Value, bool>) {
      rows_ += value ? 't' : 'f';
    } else if constexpr (std::is_integral_v<Value>) {
      rows_ += std::to_string(value);
    } else {
      add_text(value);
    }
    rows_ += '\t';
  }
  template <class Value>
  void add_value(const std::optional<Value>& value) {
    if (value) {
      add_value(*value);
    } else {
      rows_ += "\\N\t";
    }
  }
  void add_text(std::string_view text) {
    for (const char byte : text) {
      switch (byte) {
        case '\\':
          rows_ += "\\\\";
          break;
        case '\n':
          rows_ += "\\n";
          break;
        case '\r':
          rows_ += "\\r";
          break;
        case '\t':
          rows_ += "\\t";
          break;
        default:
          rows_ += byte;
      }
    }
  }

  std::string rows_;
};

/// {"a","b"}: an array of texts; names of workloads contain no quotes.
std::string names_array(const std::vector<std::string>& names);

/// Creates or replaces a table that is dropped with the transaction, and fills it.
void fill(postgres::Connection& connection, const std::string& table, const std::string& columns,
          const CopyText& rows);

/// The keys of rows numbered 0, 1, ... of such a table, by the query.
std::vector<std::int64_t> keys_of(postgres::Connection& connection, const std::string& query,
                                  std::size_t count);

/// The keys that points refer to.
struct WrittenRuns {
  std::map<std::string, std::int64_t> revisions;  ///< by oid
  std::map<std::string, std::int64_t> facts;      ///< by stored_text
  std::map<std::string, std::int64_t> runs;       ///< by id
};

/// Writes the runs of new payloads, their programs, commits and facts.
WrittenRuns write_runs(postgres::Connection& connection, const PayloadHistory& history,
                       const std::vector<PayloadKey>& keys);

/// Writes the content of payloads in the present transaction. Runs of these ids must not exist yet
/// (forget_runs); `keys`: of each payload. Throws postgres::Refused for texts and numbers that
/// PostgreSQL cannot store.
void write_points(postgres::Connection& connection, const PayloadHistory& history,
                  const std::vector<PayloadKey>& keys);

/// Writes alerts and their new states.
void write_alerts(postgres::Connection& connection, const std::vector<Alert>& alerts);

/// Removes runs with their points; `which`: a condition on the table run.
void forget_runs(postgres::Connection& connection, const std::string& which,
                 const std::vector<postgres::Parameter>& values);

}  // namespace perf::hub
