#include <gtest/gtest.h>

#include "schema/error.h"
#include "schema/store/connection.h"
#include "schema/store/store.h"
#include "tests/schema/store/example.h"

namespace perf {
namespace {

const std::string kOne(40, '1');
const std::string kTwo(40, '2');

std::string listed(const Store& store) {
  std::string text;
  for (const Baseline& baseline : store.pins()) {
    text += baseline.name + "=" + baseline.oid.substr(0, 1) + " " + baseline.reason + " " +
            baseline.pinned_at + "; ";
  }
  return text;
}

TEST(Pins, HoldUntilMovedOrRemoved) {
  const example::Folder folder;
  Store store(folder / "results.db");
  EXPECT_EQ(listed(store), "");
  store.pin({"release", kOne, "v1.2 shipped", "t1"});
  store.pin({"anchor", kOne, "", "t2"});
  EXPECT_EQ(listed(store), "anchor=1  t2; release=1 v1.2 shipped t1; ");
  store.pin({"release", kTwo, "v1.3 shipped", "t3"});
  EXPECT_TRUE(store.unpin("anchor", "t4", "not needed"));
  EXPECT_EQ(listed(store), "release=2 v1.3 shipped t3; ");
  EXPECT_FALSE(store.unpin("anchor", "t5"));
  EXPECT_FALSE(store.unpin("never", "t6"));
  store.pin({"anchor", kTwo, "again", "t7"});
  EXPECT_EQ(listed(Store(folder / "results.db")), "anchor=2 again t7; release=2 v1.3 shipped t3; ");
}

TEST(Pins, HaveAnAppendOnlyTrail) {
  const example::Folder folder;
  Store store(folder / "results.db");
  store.pin({"release", kOne, "shipped", "t1"});
  store.pin({"release", kTwo, "shipped again", "t0"});  // a clock set back changes no order
  store.unpin("release", "t3", "withdrawn");
  std::string trail;
  for (const PinEvent& event : store.pin_events()) {
    trail += std::string(event.pinned ? "pin " : "unpin ") + event.name + " " +
             event.oid.substr(0, 1) + " " + event.reason + " " + event.at + "; ";
  }
  EXPECT_EQ(trail,
            "pin release 1 shipped t1; pin release 2 shipped again t0; "
            "unpin release 2 withdrawn t3; ");
  store::Connection connection(folder / "results.db", store::Connection::Access::read_write);
  EXPECT_THROW(connection.execute("DELETE FROM pin_event"), Error);
  EXPECT_THROW(connection.execute("UPDATE pin_event SET reason = ''"), Error);
  EXPECT_EQ(store.pin_events().size(), 3U);
}

TEST(Pins, RequireANameAndACommit) {
  const example::Folder folder;
  Store store(folder / "results.db");
  EXPECT_THROW(store.pin({"", kOne, "", "t"}), UsageError);
  EXPECT_THROW(store.pin({"release", "", "", "t"}), UsageError);
  EXPECT_TRUE(store.pin_events().empty());
}

}  // namespace
}  // namespace perf
