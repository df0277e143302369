#pragma once

#include <array>
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

struct sqlite3_file;

namespace perf::store {

/// Sums at the ends of a store's pages, by which a value is noticed that the disk changed: SQLite
/// itself sees damage of its structure only, so a flipped bit inside a number would come out as
/// another number. The idea is SQLite's own (ext/misc/cksumvfs.c).
///
/// The sums count while page 1 has its own, and then all pages have theirs. Any sqlite3 reads such
/// a file; one that writes to it leaves a stale sum on page 1, which every transaction writes. From
/// then on sums count for nothing until sum_all() of a Connection makes all of them anew.
enum class Sums {
  none,   ///< the file leaves no room for them: of an earlier version, or another program's
  stale,  ///< another program has written to it, or page 1 is damaged
  sound,
};

/// The name of a VFS that keeps them, in front of what is SQLite's default VFS at the first call.
/// A page that has not its sum is read as SQLITE_IOERR_DATA.
const char* checked_vfs();

/// These take a main database file that was opened through checked_vfs().
/// nullopt where the disk fails to read.
std::optional<Sums> sums_of(sqlite3_file* file);
/// Whether page 1 gets its sum even where it had none. Only for who has just written all pages, and
/// holds the lock since.
void trust_page_one(sqlite3_file* file, bool trusted);
/// The last page of any file that this thread found without its sum; 0: none yet.
std::uint32_t last_damaged_page();
/// How many reads of this thread the disk has failed. SQLite's checks of a whole store go on after
/// one, and complain of it in the words that they have for damage.
std::uint64_t failed_reads();

/// What the first bytes of a file say (https://sqlite.org/fileformat2.html, section 1.3).
struct FileHeader {
  bool empty = false;   ///< no byte at all
  bool sqlite = false;  ///< begins like an SQLite database
  std::uint32_t application_id = 0;
  std::uint32_t user_version = 0;
};
using HeaderBytes = std::array<unsigned char, 100>;
FileHeader read_header(const HeaderBytes& bytes);

/// The folder in a repository that stores live in; a new one gets a .gitignore that hides it.
inline constexpr char kStoreFolder[] = ".perf-compare";

/// Makes ready the place of a store and returns its path with every folder's symbolic links
/// resolved. With `create`, missing folders are made. Refuses a store that is not a regular file,
/// and one that is, or lies in a kStoreFolder that is, a symbolic link: a checked-out tree could
/// use it to have other files written. Folders above are the user's own business.
/// Throws Error.
std::filesystem::path place_of_store(const std::filesystem::path& file, bool create);

/// How long anybody waits for the lock of a store before it counts as stuck. Writers hold it for
/// milliseconds, so this is thousands of turns.
inline constexpr double kLockPatience = 30;  // s

/// The hint for stores with rows that perf-compare does not write.
inline constexpr char kNotOurs[] = "do not use this store: perf-compare did not write it";

/// The file is damaged, by SQLite or by the sum of a page.
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
    read_on(values...);
  }
  /// Reads the columns after those that were read last.
  template <class... Values>
  void read_on(Values&... values) {
    (read_next(values), ...);
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

/// Runs a statement when it goes out of scope. That it fails is passed over: SQLite rolls back by
/// itself after some errors (disk full, I/O) and then refuses to; and what was only read or
/// attached goes with the connection.
class AtEnd {
 public:
  AtEnd(Connection& connection, const char* statement)
      : connection_(connection), statement_(statement) {}
  ~AtEnd() {
    try {
      connection_.execute(statement_);
    } catch (const Error&) {
    }
  }
  AtEnd(const AtEnd&) = delete;
  AtEnd& operator=(const AtEnd&) = delete;

 protected:
  Connection& connection_;
  const char* statement_;  ///< an empty one does nothing
};

/// BEGIN IMMEDIATE ... COMMIT; rolled back when it is left without commit(). Immediate, because a
/// read transaction that turns into a write ignores the busy handler and fails under load.
class WriteTransaction : AtEnd {
 public:
  explicit WriteTransaction(Connection& connection)
      : AtEnd((connection.execute("BEGIN IMMEDIATE"), connection), "ROLLBACK") {}
  void commit() {
    connection_.execute("COMMIT");
    statement_ = "";
  }
};

/// One state of the store for several queries.
class ReadTransaction : AtEnd {
 public:
  explicit ReadTransaction(Connection& connection)
      : AtEnd((connection.execute("BEGIN"), connection), "COMMIT") {}
};

}  // namespace perf::store
