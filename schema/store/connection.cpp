
#include <SQLiteCpp/SQLiteCpp.h>
#include <sqlite3.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cmath>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "schema/error.h"
#include "schema/store/internal.h"

namespace perf::store {

using Clock = std::chrono::steady_clock;

struct Waiting {
  Clock::time_point since{};
  double patience = kLockPatience;  // s
};

namespace {

thread_local int recoveries = 0;

/// SQLite tells of a journal that it rolled back nowhere but in its log.
void count_recoveries(void*, int code, const char*) {
  if (code == SQLITE_NOTICE_RECOVER_ROLLBACK || code == SQLITE_NOTICE_RECOVER_WAL) {
    ++recoveries;
  }
}

void listen_once() {
  static std::once_flag once;
  std::call_once(once, [] {
    sqlite3_config(SQLITE_CONFIG_LOG, count_recoveries, nullptr);
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);  // threads would wait for its counters
  });
}

/// SQLite's own handler sleeps up to 100 ms, so that under many writers somebody starves; short
/// uneven sleeps give everybody thousands of turns.
int wait_for_lock(void* waiting, int count) {
  auto& [since, patience] = *static_cast<Waiting*>(waiting);
  if (count == 0) {
    since = Clock::now();
  }
  if (Clock::now() - since >= std::chrono::duration<double>(patience)) {
    return 0;
  }
  const unsigned uneven =
      (static_cast<unsigned>(count) * 2654435761U + static_cast<unsigned>(getpid())) >> 7U;
  std::this_thread::sleep_for(std::chrono::milliseconds(1 + uneven % 9));
  return 1;
}

/// Codes are extended ones here: the lowest byte is the kind.
int kind_of(const SQLite::Exception& e) {
  return e.getErrorCode() & 0xff;
}

Error translated(const SQLite::Exception& e, const std::string& file) {
  const std::string detail = std::string(" (SQLite: ") + e.what() + ")";
  if (e.getErrorCode() == SQLITE_READONLY_ROLLBACK) {
    return {"an interrupted write must be rolled back, but the store is read-only here" + detail,
            file,
            "run perf-compare list once where it is writable, or copy it there together with " +
                file + "-journal"};
  }
  if (e.getErrorCode() == SQLITE_IOERR_DELETE) {
    return {"the store's journal could not be removed" + detail, file + "-journal",
            "check the disk, and that the folder may be written; leave the journal where it is: "
            "without it the store may be damaged"};
  }
  switch (kind_of(e)) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return {"the store stayed locked by another process" + detail, file,
              "end the process that holds it (fuser " + file + "), or try again later"};
    case SQLITE_FULL:
      return {"the disk is full, nothing was stored" + detail, file, "free some space"};
    case SQLITE_READONLY:
      return {"the store is read-only" + detail, file,
              "make the file and its folder writable, or choose another with --db FILE"};
    case SQLITE_CANTOPEN:
      return {"the store cannot be opened" + detail, file,
              "check the path and its permissions, or choose another with --db FILE"};
    case SQLITE_IOERR:
      return {"reading or writing the store failed" + detail, file,
              "check the disk, or choose another place with --db FILE"};
    default:
      return {"the store failed" + detail, file, {}};
  }
}

bool is_damage(const SQLite::Exception& e) {
  return kind_of(e) == SQLITE_CORRUPT || kind_of(e) == SQLITE_NOTADB ||
         e.getErrorCode() == SQLITE_IOERR_DATA;
}

Damaged damaged(const SQLite::Exception& e, const std::string& file) {
  const std::string what = e.getErrorCode() == SQLITE_IOERR_DATA
                               ? "the store is damaged: page " +
                                     std::to_string(last_damaged_page()) +
                                     " is not what was written"
                               : "the store is damaged (SQLite: " + std::string(e.what()) + ")";
  return {what, file,
          "move it away, and save what can be read with: sqlite3 " + file +
              " .recover | sqlite3 recovered.db"};
}

[[noreturn]] void refuse_memory(const std::string& file) {
  throw Error("not enough memory for a copy of the store", file, "close other programs");
}

[[noreturn]] void refuse_disk(const std::string& file) {
  throw Error("reading the store failed", file, "check the disk, and try again");
}

template <class Action>
auto guarded(const std::string& file, Action action) {
  try {
    return action();
  } catch (const SQLite::Exception& e) {
    if (kind_of(e) == SQLITE_CONSTRAINT) {
      throw RefusedRow(
          "a record breaks a constraint of the store (SQLite: " + std::string(e.what()) + ")",
          file);
    }
    if (is_damage(e)) {
      throw damaged(e, file);
    }
    throw translated(e, file);
  }
}

}  // namespace

std::string sqlite_version() {
  return sqlite3_libversion();
}

struct Statement::Cached {
  SQLite::Statement statement;
  const std::string& file;
  bool in_use = false;
};

struct Connection::Impl {
  std::string file;
  Waiting waiting{};
  int recoveries_before = recoveries;
  SQLite::Database database;
  std::map<std::string, std::unique_ptr<Statement::Cached>, std::less<>> statements{};

  Impl(std::string name, int flags)
      : file(std::move(name)), database(file, flags | SQLite::OPEN_NOMUTEX, 0, checked_vfs()) {
    sqlite3* handle = database.getHandle();
    sqlite3_extended_result_codes(handle, 1);
    int room = kSumBytes;  // in files that are made from here on
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_RESERVE_BYTES, &room);
    sqlite3_busy_handler(handle, wait_for_lock, &waiting);
    // The file may come from a stranger: nothing in its schema may reach beyond plain SQL, and no
    // statement may rewrite the schema by the back door.
    sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_DQS_DML, 0, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_DQS_DDL, 0, nullptr);
    // A migration that rebuilds a table ends by giving it the old name, and the views and
    // references that wait for that name must be left as they are.
    sqlite3_db_config(handle, SQLITE_DBCONFIG_LEGACY_ALTER_TABLE, 1, nullptr);
  }

  /// Puts these pages in the place of a database in memory.
  void load(const std::string& schema, std::string_view image, unsigned flags) const {
    auto* pages = static_cast<unsigned char*>(sqlite3_malloc64(image.size() + 1));
    if (pages == nullptr) {
      refuse_memory(file);
    }
    std::ranges::copy(image, pages);
    const auto size = static_cast<sqlite3_int64>(image.size());
    // The pages are SQLite's from here on, also where it refuses them.
    if (sqlite3_deserialize(database.getHandle(), schema.c_str(), pages, size, size,
                            flags | SQLITE_DESERIALIZE_FREEONCLOSE) != SQLITE_OK) {
      throw Error("cannot open a copy of the store in memory", file);
    }
  }
};

namespace {

/// The connection's own open file; nullptr of a database in memory. Closing another handle of ours
/// would drop the locks that this process holds on the file.
sqlite3_file* open_file_of(const SQLite::Database& database) {
  sqlite3_file* file = nullptr;
  sqlite3_file_control(database.getHandle(), "main", SQLITE_FCNTL_FILE_POINTER, &file);
  return file == nullptr || file->pMethods == nullptr ? nullptr : file;
}

}  // namespace

// ---- Statement

Statement::Statement(Cached& cached) : cached_(&cached) {
  assert(!cached.in_use);
  cached.in_use = true;
}

void Statement::Return::operator()(Cached* cached) const {
  cached->statement.tryReset();  // ends its read; a failure was already thrown by next()
  cached->in_use = false;
}

bool Statement::next() {
  // Parameters keep what an earlier use bound to them, so every use must bind them all.
  assert(parameter_ == cached_->statement.getBindParameterCount());
  return guarded(cached_->file, [&] { return cached_->statement.executeStep(); });
}

void Statement::bind_integer(std::int64_t value) {
  guarded(cached_->file, [&] { cached_->statement.bind(++parameter_, value); });
}

void Statement::bind_real(double value) {
  if (!std::isfinite(value)) {
    throw Error("cannot store a value that is not finite", cached_->file,
                "report this bug: readers must refuse NaN and infinities");
  }
  guarded(cached_->file, [&] { cached_->statement.bind(++parameter_, value); });
}

void Statement::bind_text(std::string_view value) {
  guarded(cached_->file, [&] { cached_->statement.bind(++parameter_, std::string(value)); });
}

void Statement::bind_null() {
  guarded(cached_->file, [&] { cached_->statement.bind(++parameter_); });
}

bool Statement::is_null() const {
  return cached_->statement.isColumnNull(column_);
}

std::int64_t Statement::read_integer() {
  return cached_->statement.getColumn(column_++).getInt64();
}

std::int64_t Statement::read_integer_within(std::int64_t least, std::int64_t most) {
  const std::int64_t value = read_integer();
  if (value < least || value > most) {
    throw Error("the store has a number out of range: " + std::to_string(value), cached_->file,
                kNotOurs);
  }
  return value;
}

double Statement::read_real() {
  const double value = cached_->statement.getColumn(column_++).getDouble();
  if (!std::isfinite(value)) {
    throw Error("the store has a value that is not finite", cached_->file, kNotOurs);
  }
  return value;
}

std::string Statement::read_text() {
  return cached_->statement.getColumn(column_++).getString();
}

// ---- Connection

Connection::Connection(const std::filesystem::path& file, Access access) {
  listen_once();
  const int flags = access == Access::read_only ? SQLite::OPEN_READONLY
                                                : SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE;
  guarded(file.string(),
          [&] { impl_ = std::make_unique<Impl>(file.string(), flags | SQLite::OPEN_NOFOLLOW); });
}

Connection::Connection() {
  listen_once();
  guarded(":memory:", [&] {
    impl_ = std::make_unique<Impl>(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
  });
}

Connection::Connection(const std::string& name, std::string_view image) : Connection() {
  impl_->file = name;
  impl_->load("main", image, SQLITE_DESERIALIZE_RESIZEABLE);
}

Connection::~Connection() = default;

FileHeader Connection::header() const {
  sqlite3_file* file = open_file_of(impl_->database);
  sqlite3_int64 size = 0;
  if (file == nullptr) {
    return {};
  }
  if (file->pMethods->xFileSize(file, &size) != SQLITE_OK) {
    refuse_disk(impl_->file);
  }
  if (size == 0) {
    FileHeader header;
    // SQLite takes a file of one byte for an empty one; it is somebody's all the same.
    std::error_code ignored;
    header.empty = std::filesystem::file_size(impl_->file, ignored) == 0;
    return header;
  }
  HeaderBytes bytes{};
  const int status = file->pMethods->xRead(file, bytes.data(), static_cast<int>(bytes.size()), 0);
  if (status == SQLITE_IOERR_SHORT_READ) {
    return {};
  }
  if (status != SQLITE_OK) {
    refuse_disk(impl_->file);
  }
  return read_header(bytes);
}

bool Connection::read_only() const {
  return sqlite3_db_readonly(impl_->database.getHandle(), "main") == 1;
}

void Connection::read_through(std::int64_t limit) const {
  sqlite3_file* file = open_file_of(impl_->database);
  sqlite3_int64 size = 0;
  if (file == nullptr || file->pMethods->xFileSize(file, &size) != SQLITE_OK) {
    return;
  }
  std::vector<char> chunk(std::size_t{1} << 20U);
  const auto length = static_cast<std::int64_t>(chunk.size());
  const std::int64_t end = std::min<std::int64_t>(size, limit);
  for (std::int64_t at = 0; at + length <= end; at += length) {
    if (file->pMethods->xRead(file, chunk.data(), static_cast<int>(length), at) != SQLITE_OK) {
      return;  // whoever reads these pages in earnest will say why
    }
  }
}

Sums Connection::sums() const {
  sqlite3_file* file = open_file_of(impl_->database);
  if (file == nullptr) {
    return Sums::none;
  }
  const std::optional<Sums> sums = sums_of(file);
  if (!sums) {
    refuse_disk(impl_->file);
  }
  return *sums;
}

void Connection::trust_page_one(bool trusted) {
  store::trust_page_one(open_file_of(impl_->database), trusted);
}

void Connection::wait_at_most(double seconds) {
  impl_->waiting.patience = seconds;
}

bool Connection::recovered() const {
  return recoveries > impl_->recoveries_before;
}

std::string Connection::image() const {
  sqlite3_int64 size = 0;
  const std::unique_ptr<unsigned char, void (*)(void*)> bytes(
      sqlite3_serialize(impl_->database.getHandle(), "main", &size, 0), sqlite3_free);
  if (bytes == nullptr) {
    refuse_memory(impl_->file);
  }
  return {reinterpret_cast<const char*>(bytes.get()), static_cast<std::size_t>(size)};
}

void Connection::attach_image(const std::string& schema, std::string_view image) {
  run("ATTACH DATABASE ':memory:' AS " + schema);
  impl_->load(schema, image, 0);
}

void Connection::execute(const std::string& statements) {
  guarded(impl_->file, [&] { impl_->database.exec(statements); });
}

Statement Connection::prepare(std::string_view sql) {
  auto found = impl_->statements.find(sql);
  if (found == impl_->statements.end()) {
    std::string text(sql);
    auto cached = guarded(impl_->file, [&] {
      return std::unique_ptr<Statement::Cached>(
          new Statement::Cached{SQLite::Statement(impl_->database, text), impl_->file});
    });
    found = impl_->statements.emplace(std::move(text), std::move(cached)).first;
  }
  return Statement(*found->second);
}

std::int64_t Connection::last_key() const {
  return impl_->database.getLastInsertRowid();
}

const std::string& Connection::file() const {
  return impl_->file;
}

}  // namespace perf::store
