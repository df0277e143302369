#include "collector/process/temporary_folder.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>

#include "schema/error.h"

namespace perf {
namespace {

namespace fs = std::filesystem;

TEST(TemporaryFolder, IsPrivateAndRemovedAfterwards) {
  fs::path path;
  {
    const TemporaryFolder folder;
    path = folder.path();
    EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_all);
    std::ofstream(path / "file") << "x";
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(TemporaryFolder, HasPathsOfOneLength) {
  const TemporaryFolder one, other;
  EXPECT_EQ(one.path().string().size(), other.path().string().size());
  EXPECT_NE(one.path(), other.path());
}

TEST(TemporaryFolder, RemovesReadOnlyTreesAndLinksButNotTheirTargets) {
  const TemporaryFolder outside;
  std::ofstream(outside.path() / "kept") << "x";
  fs::path path;
  {
    const TemporaryFolder folder;
    path = folder.path();
    fs::create_directories(path / "a/b/c");
    std::ofstream(path / "a/b/c/file") << "x";
    fs::create_directory_symlink(outside.path(), path / "a/link");
    fs::create_directory_symlink("/no/such/place", path / "dangling");
    ASSERT_EQ(mkfifo((path / "a/pipe").c_str(), 0600), 0);
    for (const char* name : {"a/b/c", "a/b", "a", "."}) {
      fs::permissions(path / name, static_cast<fs::perms>(0500));
    }
    fs::permissions(path / "a/b", fs::perms::none);
  }
  EXPECT_FALSE(fs::exists(path));
  EXPECT_TRUE(fs::exists(outside.path() / "kept"));
}

TEST(TemporaryFolder, RemovesTreesDeeperThanAPathIsLong) {
  constexpr int kDepth = 3000;
  auto folder = std::make_unique<TemporaryFolder>();
  const fs::path path = folder->path();
  int at = open(path.c_str(), O_RDONLY | O_DIRECTORY);
  for (int i = 0; i < kDepth; ++i) {
    ASSERT_EQ(mkdirat(at, "nested", 0700), 0);
    const int next = openat(at, "nested", O_RDONLY | O_DIRECTORY);
    ASSERT_GE(next, 0);
    close(at);
    at = next;
  }
  close(at);
  folder.reset();
  EXPECT_FALSE(fs::exists(path));
}

TEST(TemporaryFolder, SurvivesBeingRemovedByOthers) {
  auto folder = std::make_unique<TemporaryFolder>();
  const fs::path path = folder->path();
  fs::remove_all(path);
  folder.reset();
  EXPECT_FALSE(fs::exists(path));
}

TEST(TemporaryFolder, IsRemovedByTheNextProcessAfterAKill) {
  const TemporaryFolder place;
  const auto names = [&place] {
    return std::distance(fs::directory_iterator(place.path()), fs::directory_iterator());
  };
  const pid_t child = fork();
  if (child == 0) {
    const TemporaryFolder folder(place.path());
    fs::create_directories(folder.path() / "a/b");
    fs::permissions(folder.path() / "a", fs::perms::owner_read);
    kill(getpid(), SIGKILL);
  }
  waitpid(child, nullptr, 0);
  const TemporaryFolder of_another(place.path());
  fs::create_directory_symlink(of_another.path(), place.path() / "perf-compare-tmp-linked");
  ASSERT_EQ(names(), 3);
  remove_abandoned_folders(place.path());
  EXPECT_EQ(names(), 2) << "the one in use, and the link";
  EXPECT_TRUE(fs::exists(of_another.path()));
  remove_abandoned_folders("/no/such/place");
}

TEST(TemporaryFolder, ReportsWhereItCannotBeCreated) {
  EXPECT_THROW(TemporaryFolder("/no/such/place"), Error);
}

}  // namespace
}  // namespace perf
