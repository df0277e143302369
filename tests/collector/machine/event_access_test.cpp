#include "collector/machine/event_access.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace perf {
namespace {

TEST(EventAccess, FollowsFromTheError) {
  EXPECT_EQ(access_after(EACCES), EventAccess::forbidden);
  EXPECT_EQ(access_after(EPERM), EventAccess::forbidden);
  EXPECT_EQ(access_after(ENOENT), EventAccess::absent);
  EXPECT_EQ(access_after(EOPNOTSUPP), EventAccess::absent);
  EXPECT_EQ(access_after(ENOSYS), EventAccess::absent);
  EXPECT_EQ(access_after(EMFILE), std::nullopt);
}

TEST(EventAccess, IsStableOnThisMachine) {
  EXPECT_EQ(try_counters(), try_counters());
  EXPECT_EQ(try_sampling(), try_sampling());
}

}  // namespace
}  // namespace perf
