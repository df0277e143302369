#include <unistd.h>

#include <filesystem>

#include "schema/error.h"
#include "schema/files/content.h"
#include "schema/store/internal.h"

namespace perf::store {
namespace {

namespace fs = std::filesystem;

void apply(Connection& connection, const Migration& step) {
  connection.execute(std::string(step.sql));
  if (connection.value<std::string>("SELECT 'row' FROM pragma_foreign_key_check")) {
    throw Error("migration " + std::string(step.name) + " leaves rows without their parents",
                connection.file(), "report this bug; the store is unchanged");
  }
  connection.execute("PRAGMA user_version = " + std::to_string(step.version));
}

/// The copy gets its name only once it is whole, so that a name always means a whole copy. One that
/// a run kept which was killed before it migrated is not kept twice.
void keep_copy(Connection& connection, std::uint32_t version) {
  const std::string stem = connection.file() + ".version-" + std::to_string(version);
  const std::string partial = stem + ".partial-" + std::to_string(getpid());
  std::error_code error;
  std::string name = stem + ".bak", latest;
  for (int number = 2; fs::exists(name, error); ++number) {
    latest = name;
    name = stem + "." + std::to_string(number) + ".bak";  // an earlier copy is never replaced
  }
  sweep_parts(stem, ".partial-");
  try {
    const Hold hold = copy_into_partial(connection, partial);
    if (!latest.empty() && has_same_bytes(partial, latest)) {
      fs::remove(partial);
      return;
    }
    fs::rename(partial, name);
  } catch (const std::exception& failure) {
    fs::remove(partial, error);
    const auto* told = dynamic_cast<const Error*>(&failure);
    throw Error(std::string("cannot copy the store before migrating (") +
                    (told != nullptr ? told->what : failure.what()) + ")",
                name, "free some space beside the store, which is unchanged");
  }
  sync_to_disk(fs::path(name).parent_path());
}

void migrate(Connection& connection, const std::vector<Migration>& steps, std::uint32_t version) {
  if (connection.read_only()) {
    throw Error("the store has an older version and is read-only", connection.file(),
                "open it once where it is writable, or copy it");
  }
  require_schema(connection, steps, version);
  if (const std::vector<std::string> found = problems(connection); !found.empty()) {
    throw Error("the store is damaged and was not migrated (" + found.front() + ")",
                connection.file(), kSaveWhatCanBeRead);
  }
  keep_copy(connection, version);
  // A migration may rebuild tables that others refer to; apply() checks the references instead.
  connection.execute("PRAGMA foreign_keys = OFF");
  for (const Migration& step : steps) {
    WriteTransaction transaction(connection);
    if (identity_of(connection).version + 1 == step.version) {  // else somebody took this step
      apply(connection, step);
      transaction.commit();
    }
  }
  connection.execute("PRAGMA foreign_keys = ON");
}

}  // namespace

void make_store(Connection& connection, const std::vector<Migration>& steps) {
  WriteTransaction transaction(connection);
  const Identity now = identity_of(connection);
  if (now.application_id == kApplicationId) {
    return;  // another process made it while this one waited for the lock
  }
  if (now.objects != 0) {
    refuse_foreign(connection.file(), "another application's database");
  }
  connection.execute("PRAGMA application_id = " + std::to_string(kApplicationId));
  for (const Migration& step : steps) {
    apply(connection, step);
  }
  transaction.commit();
}

void migrate_in_memory(Connection& connection, const std::vector<Migration>& steps) {
  const std::uint32_t version = identity_of(connection).version;
  for (const Migration& step : steps) {
    if (step.version > version) {
      apply(connection, step);
    }
  }
}

void bring_up_to_date(Connection& connection, const std::vector<Migration>& steps) {
  refuse_by_header(connection, steps);
  // EXTRA: with FULL alone, a power cut may bring back the journal of a transaction that was
  // committed, and undo it (https://sqlite.org/pragma.html#pragma_synchronous).
  connection.execute(
      "PRAGMA cell_size_check = ON; PRAGMA foreign_keys = ON; PRAGMA synchronous = EXTRA;");
  Identity identity = first_look(connection);
  if (identity.application_id == 0 && identity.version == 0 && identity.objects == 0) {
    make_store(connection, steps);
    identity = first_look(connection);
  }
  if (identity.application_id != kApplicationId) {
    refuse_foreign(connection.file(), "another application's database");
  }
  refuse_version(connection.file(), identity.version, steps);
  if (identity.version < steps.back().version) {
    migrate(connection, steps, identity.version);
  }
  require_schema(connection, steps, steps.back().version);
  keep_sums(connection);
  // Undoing a half-done write is routine, but the same power cut may have torn other pages.
  if (connection.recovered()) {
    if (const std::vector<std::string> found = problems(connection); !found.empty()) {
      throw Error("the store was damaged when its last writer died (" + found.front() + ")",
                  connection.file(), kSaveWhatCanBeRead);
    }
  }
}

}  // namespace perf::store
