#include "schema/store/partial_copy.h"

#include <system_error>

#include "schema/store/durable_file.h"

namespace perf::store {
namespace {

namespace fs = std::filesystem;

/// An empty file, made by SQLite, which will copy into it.
Hold make_empty(const fs::path& file) {
  Hold hold;
  do {
    const Connection maker(file, Connection::Access::read_write);
    hold = Hold(file);
  } while (hold.is_lost());
  return hold;
}

}  // namespace

Hold copy_into_partial(Connection& connection, const fs::path& partial) {
  std::error_code ignored;
  fs::remove(partial, ignored);
  try {
    Hold hold = make_empty(partial);
    connection.run("VACUUM INTO ?1", partial.string());
    sync_to_disk(partial);
    return hold;
  } catch (...) {
    fs::remove(partial, ignored);
    fs::remove(partial.string() + "-journal", ignored);
    throw;
  }
}

}  // namespace perf::store
