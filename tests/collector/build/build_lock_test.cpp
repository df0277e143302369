#include <gtest/gtest.h>

#include "collector/build/build_cache.h"
#include "tests/collector/git/scratch.h"

namespace perf {
namespace {

TEST(BuildLock, IsHeldByOneAtATime) {
  const TemporaryFolder folder;
  BuildLock first = try_lock(folder.path() / "lock");
  ASSERT_TRUE(first);
  EXPECT_FALSE(try_lock(folder.path() / "lock"));
  EXPECT_TRUE(try_lock(folder.path() / "other"));
  const BuildLock shared = first;
  first.reset();
  EXPECT_FALSE(try_lock(folder.path() / "lock")) << "somebody still holds it";
}

TEST(BuildLock, WaitsAndReportsOnce) {
  const TemporaryFolder folder;
  BuildLock first = try_lock(folder.path() / "lock");
  int said = 0, asked = 0;
  const BuildLock second = wait_for_lock(
      folder.path() / "lock", [&] { ++said; },
      [&] {
        if (++asked == 3) {
          first.reset();
        }
        return false;
      });
  EXPECT_TRUE(second);
  EXPECT_EQ(said, 1);
}

TEST(BuildLock, StopsWaitingWhenInterrupted) {
  const TemporaryFolder folder;
  const BuildLock first = try_lock(folder.path() / "lock");
  EXPECT_FALSE(wait_for_lock(folder.path() / "lock", nullptr, [] { return true; }));
  EXPECT_TRUE(wait_for_lock(folder.path() / "free", nullptr, [] { return true; }));
}

TEST(BuildLock, IsLostWithItsFile) {
  const TemporaryFolder folder;
  const BuildLock first = try_lock(folder.path() / "lock");
  std::filesystem::remove(folder.path() / "lock");
  EXPECT_TRUE(try_lock(folder.path() / "lock"));
}

TEST(BuildLock, DoesNotFollowLinks) {
  const TemporaryFolder folder;
  std::filesystem::create_symlink(folder.path() / "target", folder.path() / "lock");
  EXPECT_THROW(try_lock(folder.path() / "lock"), Error);
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "target"));
  EXPECT_THROW(try_lock(folder.path() / "no folder" / "lock"), Error);
}

}  // namespace
}  // namespace perf
