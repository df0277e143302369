#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "schema/error.h"

namespace perf::postgres {

/// An error of the server, or of connecting to it.
struct Refused : Error {
  Refused(std::string sqlstate, std::string what_happened, std::string about, std::string to_try)
      : Error(std::move(what_happened), std::move(about), std::move(to_try)),
        state(std::move(sqlstate)) {}

  std::string state;  ///< SQLSTATE; "08006": the connection could not be made, or was lost;
                      ///< "08001": not made, because of TLS
};

/// Whether the same may succeed a moment later: the server starts, stops, is full or was away, or
/// two transactions conflicted.
bool is_passing(const Refused& refused);

/// Whether the server is up but accepts no more connections at present.
bool is_busy(const Refused& refused);

/// A bytea parameter.
struct Bytes {
  std::string_view bytes;
};

/// A value for $1, $2, ...
struct Parameter {
  Parameter(std::nullopt_t) {}                                               // NOLINT
  Parameter(std::string_view text) : value(text), type(25) {}                // NOLINT
  Parameter(const std::string& text) : Parameter(std::string_view(text)) {}  // NOLINT
  Parameter(const char* text) : Parameter(std::string_view(text)) {}         // NOLINT
  Parameter(Bytes bytes) : value(bytes.bytes), type(17) {}                   // NOLINT
  Parameter(bool flag) : value(flag ? "t" : "f"), type(16) {}                // NOLINT
  template <class Integer, std::enable_if_t<std::is_integral_v<Integer>, int> = 0>
  Parameter(Integer number) : value(std::to_string(number)), type(20) {}  // NOLINT
  Parameter(double number);                                               // NOLINT
  template <class Value>
  Parameter(const std::optional<Value>& given) {  // NOLINT
    if (given) {
      *this = Parameter(*given);
    }
  }

  std::optional<std::string> value{};
  unsigned type = 0;  ///< of pg_type
};

/// The result of a statement. Rows and columns count from 0.
class Rows {
 public:
  struct Impl;
  explicit Rows(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}

  std::size_t size() const;
  /// The number of rows inserted, changed or deleted.
  std::int64_t affected() const;
  bool is_null(std::size_t row, std::size_t column) const;
  std::string text(std::size_t row, std::size_t column) const;
  /// The same, as long as the rows live.
  std::string_view view(std::size_t row, std::size_t column) const;
  std::int64_t integer(std::size_t row, std::size_t column) const;
  double real(std::size_t row, std::size_t column) const;
  bool flag(std::size_t row, std::size_t column) const { return text(row, column) == "t"; }

 private:
  std::shared_ptr<const Impl> impl_;
};

/// A connection to a server; the only user of libpq. Failures throw Refused, whose texts contain no
/// password. Waiting ends promptly with an Error where `interrupted` returns true; the connection
/// cannot be used after that, nor after it was lost.
class Connection {
 public:
  struct Impl;
  /// Connects to a URI of libpq; its parameters, services, password files and variables apply.
  Connection(const std::string& address, std::function<bool()> interrupted);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Runs one statement with values for $1, $2, ...
  template <class... Values>
  Rows run(const std::string& sql, const Values&... values) {
    return run_with(sql, {Parameter(values)...});
  }
  Rows run_with(const std::string& sql, const std::vector<Parameter>& parameters);
  /// The same, with results in binary format.
  Rows run_binary(const std::string& sql, const std::vector<Parameter>& parameters);
  /// Runs several statements without parameters, as one transaction.
  void execute(const std::string& script);
  /// The first column of the first row as bytes; nothing without a row, and for null.
  std::optional<std::string> bytes(const std::string& sql,
                                   const std::vector<Parameter>& parameters);
  /// COPY ... FROM STDIN of `rows`, in the format that the statement names.
  void copy_in(const std::string& sql, std::string_view rows);

  /// The address for messages.
  const std::string& place() const;

 private:
  std::unique_ptr<Impl> impl_;
};

/// BEGIN, and ROLLBACK where it was not committed.
class Transaction {
 public:
  explicit Transaction(Connection& connection);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Connection& connection_;
  bool open_ = true;
};

/// "15.4"; empty without libpq.
std::string libpq_version();

/// The hint for an error with this SQLSTATE.
std::string advice(const std::string& state);

}  // namespace perf::postgres
