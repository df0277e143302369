#include "tests/schema/store/older_store.h"

#include <string>

#include "schema/store/store.h"
#include "tests/schema/store/example.h"

namespace perf::example {
namespace {

constexpr char kMore[] = "CREATE TABLE unused (x ANY) STRICT;";

}  // namespace

const std::vector<store::Migration>& steps_from_older() {
  static const std::uint32_t version = store::migrations().front().version;
  static const std::string older = std::string(store::migrations().front().sql) + kMore;
  static const std::vector<store::Migration> steps = [] {
    std::vector<store::Migration> made{
        {version - 1, "older", older},
        {version, "next", "UPDATE step SET seconds = 2 * seconds; DROP TABLE unused;"}};
    made.insert(made.end(), store::migrations().begin() + 1, store::migrations().end());
    return made;
  }();
  return steps;
}

void make_older_store(const std::filesystem::path& file, int steps) {
  {
    Store store(file);
    store.begin_run(plan(), policy(), "0.1.0", "2026-01-01T00:00:00Z");
    store.add("run-1", invocation(0, steps));
  }
  const std::uint32_t version = steps_from_older().front().version;
  store::Connection(file, store::Connection::Access::read_write)
      .execute(std::string(kMore) + "PRAGMA user_version = " + std::to_string(version));
}

void open_older_store(const std::filesystem::path& file) {
  if (std::filesystem::exists(file)) {
    store::Connection connection(file, store::Connection::Access::read_write);
    store::bring_up_to_date(connection, steps_from_older());
  }
}

}  // namespace perf::example
