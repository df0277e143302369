#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <system_error>

#include "schema/store/internal.h"

namespace perf::store {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBegin = "merge-";
constexpr std::string_view kRandom = "XXXXXX";
constexpr std::string_view kCopy = "copy.db";

bool is_copys_folder(const std::string& name) {
  return name.size() == kBegin.size() + kRandom.size() &&
         name.compare(0, kBegin.size(), kBegin) == 0;
}

/// Whoever chose that name for a folder of his own has more in it than a copy and its journal.
void remove_abandoned(const fs::path& folder) {
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (it->path().filename().string().compare(0, kCopy.size(), kCopy) != 0) {
      return;
    }
  }
  if (!error) {
    fs::remove_all(folder, error);
  }
}

/// A writer that died left a journal, which only one who may write the file can undo.
void explain_journal(const fs::path& file, const Error& error) {
  std::error_code ignored;
  if (fs::exists(file.string() + "-journal", ignored)) {
    throw Error(
        error.what, file.string(),
        "roll back its interrupted write: perf-compare pins --db FILE, where it is writable");
  }
}

/// The disk that fails may be that of either.
void take_copy(Connection& source, const fs::path& copy) {
  try {
    source.run("VACUUM INTO ?1", copy.string());
  } catch (const Error& error) {
    throw Error(error.what, source.file() + ", copied to " + copy.parent_path().string(),
                "check both disks, and free some space on that of the store");
  }
}

void copy_into(const fs::path& file, const fs::path& copy) {
  try {
    Connection source(file, Connection::Access::read_only);
    refuse_by_header(source, migrations());
    source.execute("PRAGMA cell_size_check = ON");
    require_ours(source, first_look(source));
    take_copy(source, copy);
  } catch (const Error& error) {
    explain_journal(file, error);
    if (error.hint.find("--db FILE") != std::string::npos)  // of our own store
    {
      throw Error(error.what, error.subject, "pass a store (.db) instead");
    }
    throw;
  }
  // Anybody may have written between the look and the copy, so the copy is looked at again.
  try {
    Connection connection(copy, Connection::Access::read_write);
    bring_up_to_date(connection, migrations());
    refuse_additions(connection, migrations(), migrations().back().version);
    connection.execute("DROP TABLE IF EXISTS sqlite_stat1; DROP TABLE IF EXISTS sqlite_stat4;");
  } catch (const Error& error) {
    throw Error(error.what, file.string(), error.hint);
  }
}

}  // namespace

void require_ours(Connection& source, const Identity& identity) {
  if (identity.application_id != kApplicationId) {
    refuse_foreign(source.file(),
                   identity.objects == 0 ? "an empty file" : "another application's database");
  }
  refuse_version(source.file(), identity.version, migrations());
  require_schema(source, migrations(), identity.version);
  refuse_additions(source, migrations(), identity.version);
  if (const std::vector<std::string> found = problems(source); !found.empty()) {
    throw Error("the store is damaged and was not merged (" + found.front() + ")", source.file(),
                kSaveWhatCanBeRead);
  }
}

ForeignCopy::ForeignCopy(const fs::path& file, const Connection& own) {
  const fs::path place = place_of_store(file, false);
  std::error_code error;
  if (fs::equivalent(place, own.file(), error)) {
    throw UsageError("cannot merge a store into itself", place.string(),
                     "pass the store of another machine");
  }
  sweep(fs::path(own.file()).parent_path(), is_copys_folder, remove_abandoned);
  make_folder(own.file());
  try {
    copy_into(place, path());
  } catch (...) {
    fs::remove_all(folder_, error);
    throw;
  }
}

/// Only its owner may look into it.
void ForeignCopy::make_folder(const fs::path& beside) {
  do {
    std::string name = (beside.parent_path() / kBegin).string() + std::string(kRandom);
    if (mkdtemp(name.data()) == nullptr) {
      throw Error("cannot create a folder for a copy", name + ": " + std::strerror(errno),
                  "make the store's folder writable, or choose another store with --db FILE");
    }
    folder_ = name;
    hold_ = Hold(folder_);
  } while (hold_.is_lost());
}

ForeignCopy::~ForeignCopy() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

}  // namespace perf::store
