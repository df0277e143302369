#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "schema/error.h"
#include "schema/store/checked_pages.h"
#include "schema/store/store_file.h"

namespace perf::store {

/// How long anybody waits for the lock of a store before it counts as stuck. Writers hold it for
/// milliseconds, so this is thousands of turns.
inline constexpr double kLockPatience = 30;  // s

/// The file is damaged: SQLite says so, or a page has not its sum.
struct Damaged : Error {
  using Error::Error;
};

/// SQLite refused a row that breaks the rules of its table.
struct RefusedRow : Error {
  using Error::Error;
};

/// A statement of the connection's cache, borrowed: returned, reset, when it goes out of scope.
/// A double that is not finite is refused both ways: SQLite would turn a NaN into NULL in silence.
/// So is an integer that what it is read into cannot hold.
class Statement {
 public:
  struct Cached;

  explicit Statement(Cached& cached);

  template <class... Values>
  void bind(const Values&... values) {
    (bind_next(values), ...);
  }
  /// Runs to the next row; false when there is none.
  bool next();
  /// Reads the row's columns from the left.
  template <class... Values>
  void read(Values&... values) {
    column_ = 0;
    (read_next(values), ...);
  }
  /// Reads the column after those that were read last.
  template <class Value>
  void read_on(Value& value) {
    read_next(value);
  }

 private:
  template <class Value>
  void bind_next(const Value& value) {
    if constexpr (std::is_integral_v<Value>) {
      bind_integer(static_cast<std::int64_t>(value));  // unsigned: its 64 bits
    } else if constexpr (std::is_floating_point_v<Value>) {
      bind_real(value);
    } else {
      bind_text(std::string_view(value));
    }
  }
  template <class Value>
  void bind_next(const std::optional<Value>& value) {
    value ? bind_next(*value) : bind_null();
  }
  template <class Value>
  void read_next(Value& value) {
    if constexpr (std::is_integral_v<Value> && !std::is_same_v<Value, bool> &&
                  sizeof(Value) < sizeof(std::int64_t)) {
      value = static_cast<Value>(read_integer_within(std::numeric_limits<Value>::min(),
                                                     std::numeric_limits<Value>::max()));
    } else if constexpr (std::is_integral_v<Value>) {
      value = static_cast<Value>(read_integer());
    } else if constexpr (std::is_floating_point_v<Value>) {
      value = read_real();
    } else {
      value = read_text();
    }
  }
  template <class Value>
  void read_next(std::optional<Value>& value) {
    if (is_null()) {
      ++column_;
      value.reset();
    } else {
      read_next(value.emplace());
    }
  }

  void bind_integer(std::int64_t value);
  void bind_real(double value);
  void bind_text(std::string_view value);
  void bind_null();
  bool is_null() const;
  std::int64_t read_integer();
  std::int64_t read_integer_within(std::int64_t least, std::int64_t most);
  double read_real();
  std::string read_text();

  struct Return {
    void operator()(Cached* cached) const;
  };
  std::unique_ptr<Cached, Return> cached_;
  int parameter_ = 0;
  int column_ = 0;
};

/// The only hold on SQLite: everything it refuses comes out as Error with the file as subject.
/// Opened for files that strangers may have written: schema not trusted, defensive, cells checked.
class Connection {
 public:
  enum class Access { read_write, read_only };

  /// Opens the file without reading it yet, creating it for read_write. Follows no symbolic link
  /// anywhere in the path. A file that may only be read is opened read-only.
  Connection(const std::filesystem::path& file, Access access);
  /// A database of its own in memory.
  Connection();
  /// A copy in memory of the pages of a store, called `name` in errors. Nothing is read yet.
  Connection(const std::string& name, std::string_view image);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Reads the header without taking a lock, recovering a journal or touching anything. Throws
  /// Error where the disk fails, as sums() does.
  FileHeader header() const;
  bool read_only() const;
  /// Reads the file from end to end once, at most `limit` B of it, so that scans of tables whose
  /// pages lie in one another's gaps find them in memory: from a cold disk that is faster than page
  /// after page, though more is read.
  void read_through(std::int64_t limit) const;
  /// Whether pages are known by their sums (checked_pages.h), as the disk says now. Of a file.
  Sums sums() const;
  void trust_page_one(bool trusted);
  /// For a lock that others hold; kLockPatience before it is called.
  void wait_at_most(double seconds);
  /// True once this thread's reading had to undo what a writer that died had left half done.
  bool recovered() const;

  /// All pages, as a file would have them.
  std::string image() const;
  /// Attaches a copy in memory of the pages of a store.
  void attach_image(const std::string& schema, std::string_view image);

  /// Runs statements that return no rows.
  void execute(const std::string& statements);

  /// Prepares once and binds the values to ?1, ?2, ...
  template <class... Values>
  Statement query(std::string_view sql, const Values&... values) {
    Statement statement = prepare(sql);
    statement.bind(values...);
    return statement;
  }
  template <class... Values>
  void run(std::string_view sql, const Values&... values) {
    Statement statement = query(sql, values...);
    statement.next();
  }
  /// Inserts a row into "table (column, ...)", a value a column; returns its integer key.
  template <class... Values>
  std::int64_t add_row(std::string_view into, const Values&... values) {
    std::string sql = "INSERT INTO " + std::string(into) + " VALUES (?";
    for (std::size_t i = 1; i < sizeof...(values); ++i) {
      sql += ", ?";
    }
    run(sql + ")", values...);
    return last_key();
  }
  /// The first column of the first row, if there is a row.
  template <class Value, class... Values>
  std::optional<Value> value(std::string_view sql, const Values&... values) {
    Statement statement = query(sql, values...);
    std::optional<Value> result;
    if (statement.next()) {
      statement.read(result.emplace());
    }
    return result;
  }

  /// What is counted, in the first column of the first row; 0 where there is none.
  template <class... Values>
  std::int64_t count(std::string_view sql, const Values&... given) {
    return value<std::int64_t>(sql, given...).value_or(0);
  }
  /// The first column of every row.
  template <class Value, class... Values>
  std::vector<Value> values(std::string_view sql, const Values&... given) {
    Statement rows = query(sql, given...);
    std::vector<Value> found;
    while (rows.next()) {
      Value value{};
      rows.read(value);
      found.push_back(std::move(value));
    }
    return found;
  }
  /// Every row as a record, which read(row, record) fills.
  template <class Record, class Read, class... Values>
  std::vector<Record> records(std::string_view sql, const Read& read, const Values&... given) {
    Statement rows = query(sql, given...);
    std::vector<Record> found;
    while (rows.next()) {
      read(rows, found.emplace_back());
    }
    return found;
  }
  /// The first two columns of every row: names and values.
  template <class... Values>
  std::map<std::string, std::string> facts(std::string_view sql, const Values&... given) {
    Statement rows = query(sql, given...);
    std::map<std::string, std::string> found;
    for (std::string name, value; rows.next();) {
      rows.read(name, value);
      found[name] = value;
    }
    return found;
  }

  const std::string& file() const;

 private:
  struct Impl;
  Statement prepare(std::string_view sql);
  std::int64_t last_key() const;
  std::unique_ptr<Impl> impl_;
};

}  // namespace perf::store
