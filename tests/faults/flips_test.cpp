// A disk that changes what was stored: bits, bytes, sectors, pages, the end of the file, the
// journal. Reading gives what was written or an Error, never another number. An older version of a
// page has a valid checksum: that cannot be found.

#include <gtest/gtest.h>

#include <random>

#include "schema/error.h"
#include "schema/files/content.h"
#include "schema/store/connection.h"
#include "schema/store/store.h"
#include "tests/faults/effort.h"
#include "tests/faults/store_work.h"
#include "tests/schema/store/example.h"

namespace perf::test {
namespace {

namespace fs = std::filesystem;
using store::Connection;
using store::Sums;

constexpr std::size_t kPage = 4096, kFlippedSector = 512;

/// Everything that the program reads out of a store, in words.
std::string everything_read(const Store& store) {
  std::string all;
  for (const ListedRun& run : store.runs()) {
    all += run.id + run.started_at + run.verdict.value_or("-") + example::dump(store.load(run.id));
    if (const auto report = store.load_report(run.id)) {
      all += report->summary.counts.empty() ? "" : "report";
      for (const Comparison& row : report->comparisons) {
        all += row.workload + std::to_string(row.change.value_or(0)) + std::to_string(row.pairs);
      }
    }
  }
  for (const Alert& alert : store.alerts()) {
    all += alert.id + std::to_string(alert.change);
  }
  for (const PinEvent& event : store.pin_events()) {
    all += event.name + event.oid + event.reason;
  }
  return all;
}

/// A store with runs, imports, alerts and pins.
const std::string& whole_store() {
  static const std::string bytes = [] {
    const example::Folder folder;
    for (const StoreWork& work : store_works()) {
      if (work.name == "session" || work.name == "import" || work.name == "alerts and pins") {
        work.run(folder.path(), [] {});
      }
    }
    return content_of(store_in(folder.path()));
  }();
  return bytes;
}

enum class Damage { bit, byte, sector_of_zeros, sector_of_ones, swapped_pages, cut, appended };
constexpr int kDamages = 7;

std::string damaged(std::string bytes, Damage damage, std::mt19937_64& random) {
  const auto below = [&random](std::size_t end) { return random() % end; };
  switch (damage) {
    case Damage::bit:
      bytes[below(bytes.size())] ^= static_cast<char>(1U << below(8));
      break;
    case Damage::byte:
      bytes[below(bytes.size())] = static_cast<char>(below(256));
      break;
    case Damage::sector_of_zeros:
      bytes.replace(below(bytes.size() / kFlippedSector) * kFlippedSector, kFlippedSector,
                    kFlippedSector, '\0');
      break;
    case Damage::sector_of_ones:
      bytes.replace(below(bytes.size() / kFlippedSector) * kFlippedSector, kFlippedSector,
                    kFlippedSector, '\xff');
      break;
    case Damage::swapped_pages: {
      const std::size_t one = below(bytes.size() / kPage), other = below(bytes.size() / kPage);
      const std::string kept = bytes.substr(one * kPage, kPage);
      bytes.replace(one * kPage, kPage, bytes, other * kPage, kPage);
      bytes.replace(other * kPage, kPage, kept);
      break;
    }
    case Damage::cut:
      bytes.resize(below(bytes.size()));
      break;
    case Damage::appended:
      bytes.append(1 + below(2 * kPage), static_cast<char>(below(256)));
      break;
  }
  return bytes;
}

struct FlipOutcome {
  int same = 0, refused = 0;
};

/// Reads a damaged store in one of the ways there are.
void read_damaged(const fs::path& file, Store::Access access, const std::string& wanted,
                  const std::string& what, FlipOutcome& outcome) {
  try {
    const std::string found = everything_read(Store(file, access));
    ++outcome.same;
    EXPECT_TRUE(found == wanted) << what << ": another content was read without a word";
  } catch (const Error& error) {
    ++outcome.refused;
    EXPECT_NE(std::string(error.what), "") << what;
    EXPECT_NE(error.subject, "") << what;
  }
}

TEST(Flips, LeaveAStoreReadableOrRefused) {
  const int count = tries(40, 1500);
  std::mt19937_64 random(20261122);
  const example::Folder folder;
  example::write(folder / "whole.db", whole_store());
  const std::string wanted = everything_read(Store(folder / "whole.db"));
  ASSERT_GT(wanted.size(), 10'000U);
  FlipOutcome outcome;
  for (int round = 0; round < count; ++round) {
    for (int kind = 0; kind < kDamages; ++kind) {
      const std::string what = "round " + std::to_string(round) + " kind " + std::to_string(kind);
      example::write(folder / "store.db",
                     damaged(whole_store(), static_cast<Damage>(kind), random));
      read_damaged(folder / "store.db", Store::Access::read_only, wanted, what, outcome);
      read_damaged(folder / "store.db", Store::Access::read_write, wanted, what, outcome);
      fs::remove(folder / "store.db-journal");
    }
  }
  EXPECT_GT(outcome.refused, outcome.same / 4);
  EXPECT_GT(outcome.same, 0);
  figure("flips", std::to_string(count * kDamages) + " damaged stores, each read in two ways: " +
                      std::to_string(outcome.refused) + " times refused, " +
                      std::to_string(outcome.same) + " times read as it was written");
}

TEST(Flips, LetAMergeTakeRightValuesOrNone) {
  const int count = tries(30, 1500);
  std::mt19937_64 random(20261123);
  const example::Folder folder;
  example::write(folder / "whole.db", whole_store());
  { Store(folder / "empty.db"); }
  const std::string empty = content_of(folder / "empty.db");
  Store(folder / "empty.db").merge(folder / "whole.db");
  const std::string wanted = everything_read(Store(folder / "empty.db"));
  FlipOutcome outcome;
  for (int round = 0; round < count; ++round) {
    const auto kind = static_cast<Damage>(random() % kDamages);
    example::write(folder / "theirs.db", damaged(whole_store(), kind, random));
    example::write(folder / "ours.db", empty);
    try {
      Store ours(folder / "ours.db");
      ours.merge(folder / "theirs.db");
      ++outcome.same;
      EXPECT_TRUE(everything_read(ours) == wanted) << "round " << round;
    } catch (const Error&) {
      ++outcome.refused;
      EXPECT_TRUE(content_of(folder / "ours.db") == empty) << "round " << round;
    }
  }
  EXPECT_GT(outcome.refused, 0);
  figure("flips", std::to_string(count) +
                      " damaged stores merged: " + std::to_string(outcome.refused) + " refused, " +
                      std::to_string(outcome.same) + " taken as they were written");
}

/// A store and the journal of a writer that died between its first page and its commit.
void leave_half_done(const fs::path& file, std::string& store, std::string& journal) {
  Connection connection(file, Connection::Access::read_write);
  connection.execute("PRAGMA cache_size = 1; BEGIN IMMEDIATE; UPDATE step SET seconds = 1");
  store = content_of(file);
  journal = content_of(file.string() + "-journal");
  connection.execute("ROLLBACK");
}

// Two faults at once: a writer died, and the disk changed its journal. SQLite undoes up to the
// first record of the journal that is not sound, so that part of what was never acknowledged may
// stay.
TEST(Flips, InAJournalLeaveASoundStoreOrAreRefused) {
  const int count = tries(40, 2000);
  std::mt19937_64 random(20261124);
  const example::Folder folder;
  example::write(folder / "whole.db", whole_store());
  const std::string wanted = everything_read(Store(folder / "whole.db"));
  std::string store, journal;
  leave_half_done(folder / "whole.db", store, journal);
  ASSERT_NE(store, whole_store());
  int refused = 0, undone = 0;
  for (int round = 0; round < count; ++round) {
    const auto kind = static_cast<Damage>(random() % 4);  // of its bytes: its end is a power cut's
    example::write(folder / "store.db", store);
    example::write(folder / "store.db-journal", damaged(journal, kind, random));
    try {
      const Store opened(folder / "store.db");
      EXPECT_TRUE(opened.problems().empty()) << "round " << round;
      undone += everything_read(opened) == wanted ? 1 : 0;
    } catch (const Error&) {
      ++refused;
    }
    fs::remove(folder / "store.db-journal");
  }
  EXPECT_GT(undone, 0);
  figure("flips", std::to_string(count) + " damaged journals: " + std::to_string(refused) +
                      " refused, " + std::to_string(undone) + " undone rightly, " +
                      std::to_string(count - refused - undone) + " undone in part");
}

TEST(Flips, AreToldFromAnotherProgramsWrites) {
  const example::Folder folder;
  const fs::path file = folder / "store.db";
  example::write(file, whole_store());
  const std::string wanted = everything_read(Store(file));
  const auto sums = [&file] { return Connection(file, Connection::Access::read_only).sums(); };
  EXPECT_EQ(sums(), Sums::sound);
  const std::string command =
      "sqlite3 '" + file.string() + "' 'CREATE TABLE mine (x); INSERT INTO mine VALUES (1)'";
  ASSERT_EQ(std::system(command.c_str()), 0) << command;
  EXPECT_EQ(sums(), Sums::stale);
  EXPECT_EQ(everything_read(Store(file, Store::Access::read_only)), wanted);
  EXPECT_EQ(sums(), Sums::stale) << "reading changes nothing";
  EXPECT_EQ(everything_read(Store(file)), wanted);
  EXPECT_EQ(sums(), Sums::sound);
  EXPECT_EQ(
      Connection(file, Connection::Access::read_only).value<std::int64_t>("SELECT x FROM mine"), 1);
}

TEST(Flips, AreToldFromWritesWhileOpen) {
  const example::Folder folder;
  const fs::path file = folder / "store.db";
  example::write(file, whole_store());
  Store open(file);
  const std::string wanted = everything_read(open);
  const std::string command =
      "sqlite3 '" + file.string() + "' 'UPDATE step SET seconds = 2 * seconds'";
  ASSERT_EQ(std::system(command.c_str()), 0) << command;
  everything_read(open);  // other numbers, rightly: they were written
  open.pin({"after", std::string(40, 'c'), "", "2026-01-01T00:00:00Z"});
  EXPECT_EQ(Connection(file, Connection::Access::read_only).sums(), Sums::stale);
  EXPECT_EQ(Store(file).pins().size(), 1U);
  EXPECT_EQ(Connection(file, Connection::Access::read_only).sums(), Sums::sound);
}

}  // namespace
}  // namespace perf::test
