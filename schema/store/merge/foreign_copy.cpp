#include "schema/store/merge/foreign_copy.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>

#include "schema/store/identity.h"
#include "schema/store/migration.h"

namespace perf::store {
namespace {

namespace fs = std::filesystem;

/// Only its owner may look into it.
fs::path make_folder(const fs::path& beside) {
  std::string name = (beside.parent_path() / "merge-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) {
    throw Error("no folder for a copy can be made", name + ": " + std::strerror(errno),
                "make the store's folder writable, or choose another store with --db FILE");
  }
  return name;
}

/// What is copied is of our making in all but its values.
void require_ours(Connection& source) {
  refuse_by_header(source, migrations().size());
  source.execute("PRAGMA cell_size_check = ON");
  const Identity identity = first_look(source);
  if (identity.application_id != kApplicationId) {
    refuse_foreign(source.file(),
                   identity.objects == 0 ? "an empty file" : "another application's database");
  }
  if (identity.version > migrations().size()) {
    refuse_newer(source.file(), identity.version, migrations().size());
  }
  require_schema(source, migrations(), identity.version);
  refuse_additions(source, migrations(), identity.version);
  if (const std::vector<std::string> found = problems(source); !found.empty()) {
    throw Error("the store is damaged and was not merged (" + found.front() + ")", source.file(),
                kSaveWhatCanBeRead);
  }
}

/// A writer that died left a journal, which only one who may write the file can undo.
void explain_journal(const fs::path& file, const Error& error) {
  std::error_code ignored;
  if (fs::exists(file.string() + "-journal", ignored)) {
    throw Error(error.what, file.string(),
                "its last writer died: have its own perf-compare put it in order first, with\n"
                "perf-compare pins --db FILE");
  }
}

void copy_into(const fs::path& file, const fs::path& copy) {
  try {
    Connection source(file, Connection::Access::read_only);
    require_ours(source);
    source.run("VACUUM INTO ?1", copy.string());
  } catch (const Error& error) {
    explain_journal(file, error);
    if (error.hint.find("--db FILE") != std::string::npos)  // of our own store
      throw Error(error.what, error.subject, "name a store of perf-compare in its place");
    throw;
  }
  // Anybody may have written between the look and the copy, so the copy is looked at again.
  try {
    Connection connection(copy, Connection::Access::read_write);
    bring_up_to_date(connection, migrations());
    refuse_additions(connection, migrations(), migrations().size());
    connection.execute("DROP TABLE IF EXISTS sqlite_stat1; DROP TABLE IF EXISTS sqlite_stat4;");
  } catch (const Error& error) {
    throw Error(error.what, file.string(), error.hint);
  }
}

}  // namespace

ForeignCopy::ForeignCopy(const fs::path& file, const Connection& own) {
  const fs::path place = place_of_store(file, false);
  std::error_code error;
  if (fs::equivalent(place, own.file(), error)) {
    throw UsageError("a store cannot be merged into itself", place.string(),
                     "name the store of another machine");
  }
  folder_ = make_folder(own.file());
  try {
    copy_into(place, path());
  } catch (...) {
    fs::remove_all(folder_, error);
    throw;
  }
}

ForeignCopy::~ForeignCopy() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

}  // namespace perf::store
