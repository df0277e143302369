// Runs as they go from store to store: by their content, whole, and nothing from a stranger that is
// not what its name says.

#include <gtest/gtest.h>
#include <zstd.h>

#include <algorithm>
#include <functional>

#include "schema/store/connection.h"
#include "schema/store/internal.h"
#include "schema/store/store.h"
#include "tests/contains.h"
#include "tests/schema/store/example.h"
#include "tests/schema/store/wrong_payload.h"

namespace perf {
namespace {

namespace fs = std::filesystem;
using example::add_run, example::execute, example::make_full_store;
using store::Connection;
using test::changed_payload, test::packed_store, test::unpacked_store;

constexpr const char* kHub = "0123456789abcdef";

std::string what_refuses(Store& store, const Payload& payload) {
  const TakenPayloads taken = store.take(kHub, {payload});
  EXPECT_EQ(taken.refused.size(), 1U);
  EXPECT_EQ(store.payloads_in(kHub).count(payload.name), 0U);
  if (taken.refused.empty()) {
    return {};
  }
  EXPECT_EQ(taken.refused[0].subject, payload.name);
  return taken.refused[0].what;
}

TEST(Payload, IsTakenWholeAndOnce) {
  const example::Folder folder;
  make_full_store(folder / "theirs.db");
  const Store theirs(folder / "theirs.db");
  const Payload payload = theirs.payload_of_run("run-1");
  EXPECT_EQ(id_of_payload(payload.name), "run-1");
  EXPECT_EQ(payload.month, "2026-01");

  Store ours(folder / "ours.db");
  add_run(ours, "run-0", 3);  // so that keys differ
  const TakenPayloads taken = ours.take(kHub, {payload});
  EXPECT_TRUE(taken.refused.empty());
  EXPECT_EQ(taken.merged.runs, 1);
  EXPECT_EQ(example::dump(ours.load("run-1")), example::dump(theirs.load("run-1")));
  EXPECT_TRUE(ours.problems().empty());
  EXPECT_EQ(ours.payloads_in(kHub), std::set<std::string>{payload.name});
  EXPECT_TRUE(ours.payloads_in("another").empty());

  const TakenPayloads again = ours.take(kHub, {payload});
  EXPECT_TRUE(again.refused.empty());
  EXPECT_EQ(again.merged.runs, 0);
  EXPECT_EQ(again.merged.known, 1);
}

TEST(Payload, HasANameThatDependsOnItsContentAlone) {
  const example::Folder folder;
  make_full_store(folder / "theirs.db");
  make_full_store(folder / "other.db", "run-2");
  const Payload payload = Store(folder / "theirs.db").payload_of_run("run-1");
  Store ours(folder / "ours.db");
  ours.take(kHub, {Store(folder / "other.db").payload_of_run("run-2")});
  ours.take(kHub, {payload});
  EXPECT_EQ(ours.payload_of_run("run-1").name, payload.name) << "keys tell on the name";
  execute(folder / "ours.db", "PRAGMA page_size = 512; VACUUM;");
  EXPECT_EQ(Store(folder / "ours.db").payload_of_run("run-1").name, payload.name);
}

/// Another value of a column of that type.
std::string other_value(const std::string& column, const std::string& type) {
  return type == "TEXT" ? "\"" + column + "\" || 'x'" : "ifnull(\"" + column + "\", 3) + 1";
}

TEST(Payload, ChangesItsNameWithEveryValue) {
  const example::Folder folder;
  make_full_store(folder / "theirs.db");
  const std::string image =
      unpacked_store(Store(folder / "theirs.db").payload_of_run("run-1").bytes);
  Connection whole("payload", image);
  const std::string digest = store::content_digest(whole);
  int columns = 0;
  const auto each = [&](const std::string& table, const std::string& column,
                        const std::string& set) {
    Connection one("payload", image);
    one.execute("PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF;");
    if (one.count("SELECT count(*) FROM \"" + table + "\"") != 0) {
      example::change(one, table,
                      "UPDATE \"" + table + "\" SET \"" + column + "\" = " + set +
                          " WHERE rowid = (SELECT max(rowid) FROM \"" + table + "\")");
      EXPECT_NE(store::content_digest(one), digest) << table << "." << column;
      ++columns;
    }
  };
  for (const auto& table :
       whole.values<std::string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT "
                                 "LIKE '%WITHOUT ROWID%'")) {
    for (const auto& [column, type] : whole.facts(
             "SELECT name, type FROM pragma_table_info(?1) WHERE name <> 'key' AND name NOT IN "
             "(SELECT \"from\" FROM pragma_foreign_key_list(?1))",
             table)) {
      each(table, column, other_value(column, type));
    }
  }
  EXPECT_GT(columns, 60);
  for (const char* change :
       {"DELETE FROM phase WHERE block = (SELECT max(block) FROM phase)",
        "UPDATE step SET seconds = seconds * 1.0000000001 WHERE idx = 0",
        "UPDATE metric_value SET metric = (SELECT max(key) FROM metric WHERE key <> metric)",
        "UPDATE invocation SET revision = 3 - revision",
        "DELETE FROM environment_fact WHERE name = (SELECT max(name) FROM environment_fact)"}) {
    Connection one("payload", image);
    one.execute("PRAGMA foreign_keys = OFF; " + std::string(change));
    EXPECT_NE(store::content_digest(one), digest) << change;
  }
}

TEST(Payload, RequiresARun) {
  const example::Folder folder;
  Store ours(folder / "ours.db");
  EXPECT_THROW(ours.payload_of_run("run-1"), UsageError);
}

TEST(Payload, IsRefusedIfItsNameIsWrong) {
  const example::Folder folder;
  make_full_store(folder / "theirs.db");
  const Payload good = Store(folder / "theirs.db").payload_of_run("run-1");
  Store ours(folder / "ours.db");
  const auto refuses = [&](const Payload& payload, const std::string& words) {
    const std::string what = what_refuses(ours, payload);
    EXPECT_TRUE(contains(what, words));
  };
  const std::string other_digest = "run-1-" + std::string(32, 'a');
  refuses({other_digest, good.month, good.bytes}, "has the digest");
  refuses({"run-2" + good.name.substr(5), good.month, good.bytes}, "other runs");
  refuses({good.name, good.month, good.bytes.substr(0, good.bytes.size() / 2)}, "damaged");
  refuses({good.name, good.month, "text"}, "not a zstd frame");
  refuses({good.name, good.month, packed_store("text")}, "not an SQLite database");
  refuses({good.name, good.month, packed_store(std::string(4096, 'x'))},
          "not a perf-compare store");
  std::string flipped = good.bytes;
  flipped[flipped.size() / 2] ^= 1;
  refuses({good.name, good.month, flipped}, "damaged");
  refuses(changed_payload(good, "PRAGMA user_version = 99", false), "newer perf-compare");
  refuses(changed_payload(good, "UPDATE run SET seed = seed + 1", false), "has the digest");
  refuses(changed_payload(good, "CREATE TABLE more (a)", true), "additional table");
  refuses(changed_payload(good, "CREATE TRIGGER t AFTER INSERT ON run BEGIN SELECT 1; END", true),
          "trigger");
  refuses(changed_payload(good, "INSERT INTO pin_event VALUES (1, 'a', 'pin', 'b', '', 't')", true),
          "more than its name");
  refuses(changed_payload(good, "INSERT INTO payload VALUES ('a', 'b')", true),
          "more than its name");
  refuses(changed_payload(
              good,
              "INSERT INTO alert VALUES (1, 'a', 'w', '{}', 'm', '', '', 'step', '', 'b', '', "
              "1, '', '')",
              true),
          "more than its name");
  refuses(changed_payload(good, "UPDATE workload SET name = '../../etc'", true),
          "name of a workload");
  refuses(changed_payload(good, "UPDATE step SET seconds = 1e300", true), "table step");
  EXPECT_EQ(ours.count_runs(), 0);
}

/// Of one id, but judged otherwise: nobody's report is replaced in silence.
TEST(Payload, IsRefusedIfItContradictsAKnownRun) {
  const example::Folder folder;
  Store theirs(folder / "theirs.db");
  add_run(theirs, "run-1", 2);
  const Payload good = theirs.payload_of_run("run-1");
  for (const char* change : {"UPDATE report SET verdict = 'new'",
                             "UPDATE report SET result = replace(result, '0.', '0.1')",
                             "UPDATE run SET alpha = alpha / 2"}) {
    const Payload other = changed_payload(good, change, true);
    ASSERT_NE(other.name, good.name) << change;
    Store ours(folder / "ours.db");
    EXPECT_EQ(ours.take(kHub, {good}).refused.size(), 0U);
    EXPECT_TRUE(contains(what_refuses(ours, other), "two different runs have the id")) << change;
  }
}

/// What would become large is not unpacked: the frame says so before.
TEST(Payload, IsRefusedIfItWouldUnpackLarge) {
  const example::Folder folder;
  Store ours(folder / "ours.db");
  const std::string zeros(std::size_t{1} << 20U, '\0');
  std::string bytes(ZSTD_compressBound(zeros.size()), '\0');
  const std::unique_ptr<ZSTD_CCtx, std::size_t (*)(ZSTD_CCtx*)> context(ZSTD_createCCtx(),
                                                                        ZSTD_freeCCtx);
  ZSTD_CCtx_setPledgedSrcSize(context.get(), std::uint64_t{1} << 40U);
  ZSTD_inBuffer in{zeros.data(), zeros.size(), 0};
  ZSTD_outBuffer out{bytes.data(), bytes.size(), 0};
  ZSTD_compressStream2(context.get(), &out, &in, ZSTD_e_flush);
  bytes.resize(out.pos);
  const std::string name = "run-1-" + std::string(32, 'a');
  EXPECT_TRUE(contains(what_refuses(ours, {name, "2026-01", bytes}),
                       "would unpack to 1099511627776 bytes"));
}

TEST(Payload, IsTakenBesideRefusedOnes) {
  const example::Folder folder;
  std::vector<Payload> payloads;
  for (int i = 0; i < 9; ++i) {
    const std::string id = "run-" + std::to_string(i);
    Store theirs(folder / (id + ".db"));
    add_run(theirs, id, 2);
    payloads.push_back(theirs.payload_of_run(id));
  }
  payloads[2].bytes += "x";
  Store ours(folder / "ours.db");
  add_run(ours, "run-5", 1);
  execute(folder / "ours.db", "UPDATE run SET seed = seed + 1");  // another run of that id
  const TakenPayloads taken = ours.take(kHub, payloads);
  EXPECT_EQ(taken.merged.runs, 7);
  ASSERT_EQ(taken.refused.size(), 2U);
  EXPECT_EQ(taken.refused[0].subject, payloads[2].name);
  EXPECT_EQ(taken.refused[1].subject, payloads[5].name);
  EXPECT_EQ(ours.payloads_in(kHub).size(), 7U);
  EXPECT_EQ(ours.count_runs(), 8);
}

TEST(Payload, ContainsTheAlertsWithNewsInAMonth) {
  const example::Folder folder;
  make_full_store(folder / "theirs.db");
  const Store theirs(folder / "theirs.db");
  EXPECT_EQ(theirs.months_of_alerts(), std::vector<std::string>{"2026-01"});
  const Payload payload = theirs.payload_of_alerts("2026-01");
  EXPECT_EQ(id_of_payload(payload.name), "alerts");
  Store ours(folder / "ours.db");
  const TakenPayloads taken = ours.take(kHub, {payload, theirs.payload_of_alerts("2025-12")});
  EXPECT_TRUE(taken.refused.empty());
  EXPECT_EQ(taken.merged.alerts, 1);
  EXPECT_EQ(ours.count_runs(), 0);
  EXPECT_EQ(ours.alerts().size(), 1U);
  EXPECT_EQ(ours.payload_of_alerts("2026-01").name, payload.name);
}

TEST(Payload, ContainsVisitsOfAFinishedSearch) {
  const example::Folder folder;
  Store store(folder / "ours.db");
  add_run(store, "visit", 2, false);
  add_run(store, "last", 2, false);
  const std::string id = store.open_bisection(example::bisection_key(), "search", 7).id;
  store.add_to_bisection(id, "visit", false);
  store.add_to_bisection(id, "last", true);
  EXPECT_TRUE(store.finished_runs().empty());
  store.finish_run(example::report("last"));
  EXPECT_EQ(store.finished_runs(), (std::vector<std::string>{"visit", "last"}));
}

TEST(Payload, RecognizesInvalidNames) {
  const std::string digest(32, 'a');
  EXPECT_EQ(id_of_payload("run-1-" + digest), "run-1");
  for (const std::string& name :
       {std::string(), digest, "-" + digest, "run-1-" + digest.substr(1), "../run-" + digest,
        ".part-" + digest, "a/b-" + digest, "run-1-" + std::string(32, 'A')}) {
    EXPECT_EQ(id_of_payload(name), "") << name;
  }
}

TEST(Export, CopiesOneRun) {
  const example::Folder folder;
  make_full_store(folder / "results.db");
  Store store(folder / "results.db");
  add_run(store, "run-2", 3);
  store.pin({"release", std::string(40, 'a'), "shipped", "t"});
  const ExportResult result = store.export_to(folder / "copy.db", "run-1");
  EXPECT_EQ(result.runs, 1);
  const Store copy(folder / "copy.db");
  EXPECT_EQ(example::dump(copy.load("run-1")), example::dump(store.load("run-1")));
  EXPECT_TRUE(copy.pins().empty());
  EXPECT_TRUE(copy.problems().empty());
  EXPECT_EQ(copy.payload_of_run("run-1").name, store.payload_of_run("run-1").name);
  EXPECT_THROW(store.export_to(folder / "none.db", "run-9"), UsageError);
  EXPECT_FALSE(fs::exists(folder / "none.db"));
}

}  // namespace
}  // namespace perf
