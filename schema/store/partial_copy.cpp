#include "schema/store/partial_copy.h"

#include <algorithm>
#include <fstream>
#include <iterator>
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

bool has_same_bytes(const fs::path& one, const fs::path& other) {
  std::error_code error;
  if (fs::file_size(one, error) != fs::file_size(other, error) || error) {
    return false;
  }
  std::ifstream first(one, std::ios::binary), second(other, std::ios::binary);
  using Bytes = std::istreambuf_iterator<char>;
  return first && second && std::equal(Bytes(first), Bytes(), Bytes(second), Bytes());
}

}  // namespace perf::store
