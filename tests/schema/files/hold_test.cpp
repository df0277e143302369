#include "schema/files/hold.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <set>

namespace perf {
namespace {

namespace fs = std::filesystem;

class HoldTest : public testing::Test {
 protected:
  HoldTest() {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~HoldTest() override { fs::remove_all(folder_); }

  fs::path make(const std::string& name) const {
    std::ofstream(folder_ / name) << "x";
    return folder_ / name;
  }

  std::set<std::string> names() const {
    std::set<std::string> found;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_)) {
      found.insert(entry.path().filename().string());
    }
    return found;
  }

  fs::path folder_ = fs::path(testing::TempDir()) / ("hold_test-" + std::to_string(getpid()));
};

TEST_F(HoldTest, IsExclusive) {
  const fs::path file = make("file");
  {
    const Hold first(file);
    EXPECT_TRUE(first.holds());
    EXPECT_TRUE(Hold(file).is_lost());
    EXPECT_TRUE(Hold(folder_).holds()) << "a folder can be held, too";
  }
  EXPECT_TRUE(Hold(file).holds());
}

TEST_F(HoldTest, MovesWithItsHold) {
  const fs::path file = make("file");
  Hold first(file);
  Hold second = std::move(first);
  EXPECT_TRUE(second.holds());
  first = Hold();
  EXPECT_TRUE(Hold(file).is_lost());
  second = Hold();
  EXPECT_TRUE(Hold(file).holds());
}

TEST_F(HoldTest, IsLostWithARemovedFile) {
  EXPECT_TRUE(Hold(folder_ / "none").is_lost());
  const fs::path file = make("file");
  const Hold hold(file);
  fs::remove(file);
  make("file");
  EXPECT_TRUE(Hold(file).holds()) << "another one";
}

TEST_F(HoldTest, FollowsNoLink) {
  const fs::path file = make("file");
  fs::create_symlink(file, folder_ / "link");
  EXPECT_FALSE(Hold(folder_ / "link").holds());
  EXPECT_FALSE(Hold(folder_ / "link").is_lost());
}

TEST_F(HoldTest, SweepsAbandonedFiles) {
  for (const char* name :
       {"out.part-1", "out.part-22", "out.part-", "out.part-1x", "other.part-1", "out"}) {
    make(name);
  }
  fs::create_symlink("elsewhere", folder_ / "out.part-3");
  const Hold hold(folder_ / "out.part-22");
  sweep_parts(folder_ / "out", ".part-");
  EXPECT_EQ(names(), (std::set<std::string>{"out.part-22", "out.part-", "out.part-1x",
                                            "other.part-1", "out", "out.part-3"}));
  sweep_parts(folder_ / "no folder" / "out", ".part-");
}

TEST_F(HoldTest, EndsWithAKilledProcess) {
  const fs::path file = make("out.part-1");
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    const Hold hold(file);
    if (write(ends[1], "+", 1) == 1) {
      pause();
    }
    _exit(0);
  }
  char mark = 0;
  ASSERT_EQ(read(ends[0], &mark, 1), 1);
  sweep_parts(folder_ / "out", ".part-");
  EXPECT_TRUE(fs::exists(file)) << "it lives";
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  sweep_parts(folder_ / "out", ".part-");
  EXPECT_FALSE(fs::exists(file));
  close(ends[0]);
  close(ends[1]);
}

}  // namespace
}  // namespace perf
