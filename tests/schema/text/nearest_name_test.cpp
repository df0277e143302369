#include "schema/text/nearest_name.h"

#include <gtest/gtest.h>

namespace perf {
namespace {

TEST(EditDistance, CountsInsertionsDeletionsReplacementsAndSwaps) {
  EXPECT_EQ(edit_distance("command", "command", 9), 0u);
  EXPECT_EQ(edit_distance("comand", "command", 9), 1u);
  EXPECT_EQ(edit_distance("commandd", "command", 9), 1u);
  EXPECT_EQ(edit_distance("commend", "command", 9), 1u);
  EXPECT_EQ(edit_distance("comamnd", "command", 9), 1u);
  EXPECT_EQ(edit_distance("kitten", "sitting", 9), 3u);
  EXPECT_EQ(edit_distance("", "abc", 9), 3u);
  EXPECT_EQ(edit_distance("abc", "", 9), 3u);
  // Optimal string alignment, not Damerau's full distance: no part is edited twice.
  EXPECT_EQ(edit_distance("ca", "abc", 9), 3u);
}

TEST(EditDistance, StopsAtItsLimit) {
  EXPECT_EQ(edit_distance("kitten", "sitting", 2), 3u);
  EXPECT_EQ(edit_distance(std::string(10'000'000, 'a'), "of", 1), 2u);
}

TEST(InsteadOf, NamesTheNearestOrAll) {
  EXPECT_EQ(instead_of("tresholds", {"alpha", "threshold"}), "did you mean \"threshold\"?");
  EXPECT_EQ(instead_of("on", {"over", "of"}), "did you mean \"of\"?");
  EXPECT_EQ(instead_of("colour", {"name", "of"}), "known: name, of");
  EXPECT_EQ(instead_of("", {"name", "of"}), "known: name, of");
}

}  // namespace
}  // namespace perf
