#include "tests/faults/store_work.h"

#include "schema/alert.h"
#include "schema/error.h"
#include "schema/store/connection.h"
#include "schema/store/internal.h"
#include "schema/store/store.h"
#include "tests/schema/store/example.h"
#include "tests/schema/store/older_store.h"

namespace perf::test {
namespace {

namespace fs = std::filesystem;
using store::Connection;

constexpr char kWhen[] = "2026-01-01T00:00:00Z";
constexpr int kSteps = 80;  // several pages an invocation

void add_run(
    Store& store, const std::string& id, int invocations, const Acknowledge& acknowledge = [] {}) {
  store.begin_run(example::plan(id), example::policy(), "0.1.0", kWhen);
  acknowledge();
  for (int i = 0; i < invocations; ++i) {
    store.add(id, example::invocation(i, kSteps));
    acknowledge();
  }
  store.finish_run(example::report(id));
  acknowledge();
}

void prepare_two_runs(const fs::path& folder) {
  Store store(store_in(folder));
  add_run(store, "before", 3);
  add_run(store, "later", 1);
}

void session(const fs::path& folder, const Acknowledge& acknowledge) {
  Store store(store_in(folder));
  acknowledge();
  add_run(store, "run-1", 3, acknowledge);
}

void import(const fs::path& folder, const Acknowledge& acknowledge) {
  Store store(store_in(folder));
  acknowledge();
  for (const std::string id : {"imported-1", "imported-2"}) {
    store.add_imported(example::plan(id), example::policy(), "0.1.0",
                       {example::invocation(0, kSteps), example::invocation(1, kSteps)},
                       {"steps", "file", id, kWhen});
    acknowledge();
  }
}

Alert alert(const std::string& id) {
  Alert made;
  made.id = id;
  made.series = {"parser", {{"layers", std::int64_t{4}}}, "step_time", "fingerprint"};
  made.previous_oid = std::string(40, '1');
  made.oid = std::string(40, '2');
  made.change = 0.25;
  made.events = {{AlertNews::seen, kWhen}};
  return made;
}

void alerts_and_pins(const fs::path& folder, const Acknowledge& acknowledge) {
  Store store(store_in(folder));
  acknowledge();
  store.record_alerts({alert("a1"), alert("a2")}, {});
  acknowledge();
  store.record_alerts(
      {}, {{"a1", {AlertNews::confirmed, kWhen, "before"}}, {"a2", {AlertNews::withdrawn, kWhen}}});
  acknowledge();
  store.pin({"release", std::string(40, 'a'), "shipped", kWhen});
  acknowledge();
  store.pin({"release", std::string(40, 'b'), "again", kWhen});
  acknowledge();
  store.unpin("release", kWhen, "gone");
  acknowledge();
}

void prepare_merge(const fs::path& folder) {
  prepare_two_runs(folder);
  give_small_cache(store_in(folder));
}

/// Made once: it is only read.
const fs::path& store_of_another_machine() {
  static const example::Folder folder;
  static const fs::path file = [] {
    Store store(folder / "other.db");
    add_run(store, "there-1", 3);
    add_run(store, "there-2", 2);
    add_run(store, "before", 3);  // known
    return folder / "other.db";
  }();
  return file;
}

void merge(const fs::path& folder, const Acknowledge& acknowledge) {
  Store store(store_in(folder));
  acknowledge();
  store.merge(store_of_another_machine());
  acknowledge();
}

void prune(const fs::path& folder, const Acknowledge& acknowledge) {
  Store store(store_in(folder));
  acknowledge();
  store.prune({"2030-01-01T00:00:00Z"});
  acknowledge();
}

void migrate(const fs::path& folder, const Acknowledge& acknowledge) {
  example::open_older_store(store_in(folder));
  acknowledge();
}

void prepare_old_version(const fs::path& folder) {
  fs::create_directories(store_in(folder).parent_path());
  example::make_older_store(store_in(folder), 1000);
  give_small_cache(store_in(folder));
}

/// Migrating keeps a copy of what was there, and that is whole as soon as it has its name.
std::string copies_kept(const fs::path& folder, std::size_t acknowledged) {
  static const std::string whole = [] {
    const example::Folder example;
    prepare_old_version(example.path());
    return contents_of_store(store_in(example.path()));
  }();
  std::size_t copies = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(store_in(folder).parent_path())) {
    if (entry.path().filename() != "results.db.version-6.bak") {
      continue;
    }
    ++copies;
    if (contents_of_store(entry.path()) != whole) {
      return "the copy kept before migrating is not what was there";
    }
  }
  return acknowledged > 0 && copies == 0 ? "the copy kept before migrating was lost" : "";
}

void export_store(const fs::path& folder, const Acknowledge& acknowledge) {
  const Store store(store_in(folder));
  store.export_to(folder / "copy.db");
  acknowledge();
}

std::string copy_exported(const fs::path& folder, std::size_t acknowledged) {
  if (!fs::exists(folder / "copy.db")) {
    return acknowledged > 0 ? "the exported copy was lost" : "";
  }
  return contents_of_store(folder / "copy.db") == contents_of_store(store_in(folder))
             ? ""
             : "the exported copy is not the store";
}

std::string columns_of(Connection& connection, const std::string& table) {
  return connection
      .value<std::string>(
          "SELECT group_concat('quote(\"' || name || '\")', ' || '','' || ') "
          "FROM pragma_table_info(?1) WHERE NOT (?1 = 'pruned_block' AND name = 'at')",
          table)
      .value_or("''");
}

}  // namespace

fs::path store_in(const fs::path& folder) {
  return folder / ".perf-compare" / "results.db";
}

void give_small_cache(const fs::path& store) {
  Connection(store, Connection::Access::read_write).execute("PRAGMA default_cache_size = 10");
}

const std::vector<StoreWork>& store_works() {
  static const std::vector<StoreWork> works = {
      {"session", [](const fs::path&) {}, session},
      {"import", prepare_two_runs, import},
      {"alerts and pins", prepare_two_runs, alerts_and_pins},
      {"merge", prepare_merge, merge},
      {"prune", prepare_two_runs, prune},
      {"migration", prepare_old_version, migrate, copies_kept},
      {"export", prepare_two_runs, export_store, copy_exported}};
  return works;
}

std::string contents_of_store(const fs::path& file) {
  Connection connection(file, Connection::Access::read_only);
  if (const std::vector<std::string> found = store::problems(connection); !found.empty()) {
    throw Error("the store is not sound", file.string(), found.front());
  }
  std::vector<std::string> tables;
  store::Statement names =
      connection.query("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name");
  for (std::string name; names.next();) {
    names.read(name);
    tables.push_back(name);
  }
  std::string text =
      "version " + connection.value<std::string>("PRAGMA user_version").value_or("?") + "\n";
  for (const std::string& table : tables) {
    store::Statement rows = connection.query("SELECT " + columns_of(connection, table) +
                                             " FROM \"" + table + "\" ORDER BY 1");
    for (std::string row; rows.next();) {
      rows.read(row);
      text += table + ": " + row + "\n";
    }
  }
  return text;
}

std::string contents_when_opened(const fs::path& folder) {
  example::open_older_store(store_in(folder));
  { const Store store(store_in(folder)); }
  return contents_of_store(store_in(folder));
}

}  // namespace perf::test
