#include "schema/ratchet.h"

#include <gtest/gtest.h>

#include "schema/error.h"
#include "schema/store/store.h"
#include "tests/schema/store/example.h"

namespace perf {
namespace {

const std::string kNow = "2026-01-31T12:00:00Z";

/// Begins an attempt of `best` in a run of this id.
RatchetRun begin(Store& store, const std::string& id) {
  store.begin_run(example::plan(id), example::policy(), "test");
  RatchetRun run = example::ratchet_run(id);
  run.number = store.begin_ratchet_run(run);
  return run;
}

AttemptOutcome end(Store& store, RatchetRun& run, AttemptOutcome outcome) {
  run.end->outcome = outcome;
  return store.end_ratchet_run(run);
}

TEST(RatchetLedger, KeepsAttemptsAndTheirEnds) {
  const example::Folder folder;
  Store store(folder / "results.db");
  store.pin({"best", example::plan("x").base->oid, "", kNow});
  RatchetRun first = begin(store, "run-1");
  EXPECT_EQ(first.number, 1);
  EXPECT_EQ(begin(store, "run-2").number, 2);
  EXPECT_EQ(end(store, first, AttemptOutcome::refused), AttemptOutcome::refused);
  EXPECT_THROW(store.end_ratchet_run(first), Error) << "it has ended";

  const std::vector<RatchetRun> ledger = Store(folder / "results.db").ratchet_runs("best");
  ASSERT_EQ(ledger.size(), 2U);
  EXPECT_EQ(ledger[0].goal, first.goal);
  EXPECT_EQ(ledger[0].best.oid, first.best.oid);
  EXPECT_EQ(ledger[0].head_program, "program");
  ASSERT_TRUE(ledger[0].end);
  EXPECT_EQ(ledger[0].end->outcome, AttemptOutcome::refused);
  EXPECT_EQ(ledger[0].end->gains, (std::vector{0.03, 0.04}));
  EXPECT_EQ(ledger[0].end->guarded.front().metric, "peak_rss");
  EXPECT_FALSE(ledger[1].end);
  EXPECT_TRUE(store.ratchet_runs("other").empty());
}

TEST(RatchetLedger, PinsWhatIsAcceptedUnlessTheBestHasMoved) {
  const example::Folder folder;
  Store store(folder / "results.db");
  store.pin({"best", example::plan("x").base->oid, "", kNow});
  RatchetRun first = begin(store, "run-1"), second = begin(store, "run-2");
  EXPECT_EQ(end(store, first, AttemptOutcome::accepted), AttemptOutcome::accepted);
  EXPECT_EQ(store.pins().front().oid, first.head.oid);
  EXPECT_EQ(end(store, second, AttemptOutcome::accepted), AttemptOutcome::moved);
  EXPECT_EQ(store.pin_events().size(), 2U);
}

TEST(RatchetLedger, IsMergedOnceWithEndsThatCameLater) {
  const example::Folder folder;
  Store here(folder / "here.db");
  {
    Store there(folder / "there.db");
    there.pin({"best", example::plan("x").base->oid, "", kNow});
    RatchetRun first = begin(there, "run-1");
    EXPECT_EQ(here.merge(folder / "there.db").unfinished, 1);
    EXPECT_FALSE(here.ratchet_runs("best").front().end);
    end(there, first, AttemptOutcome::refused);
  }
  for (int i = 0; i < 2; ++i) {
    here.merge(folder / "there.db");
    ASSERT_EQ(here.ratchet_runs("best").size(), 1U);
    ASSERT_TRUE(here.ratchet_runs("best").front().end);
  }
  EXPECT_EQ(Store(folder / "third.db").merge(folder / "there.db").unfinished, 0);
  EXPECT_EQ(begin(here, "run-9").number, 2);
  EXPECT_TRUE(here.pins().empty()) << "pins are not merged";
}

}  // namespace
}  // namespace perf
