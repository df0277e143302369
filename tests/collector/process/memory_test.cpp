// The memory of a child is the child's, whatever the tool holds. getrusage(2) would say otherwise:
// the last test shows the trap, so that nobody takes the supervisor for a complication.
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "collector/process/spawner.h"
#include "processes.h"
#include "schema/readings.h"
#include "tests/sanitized.h"

namespace perf {
namespace {

using testing::actor;
using testing::early_spawner;
using testing::program;
using testing::shell;

constexpr std::int64_t kMiB = 1 << 20;

/// Pages that this process touches and holds.
class Ballast {
 public:
  explicit Ballast(std::size_t size) : size_(size) {
    memory_ = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    std::memset(memory_, 1, size);
  }
  ~Ballast() { munmap(memory_, size_); }
  Ballast(const Ballast&) = delete;
  Ballast& operator=(const Ballast&) = delete;

 private:
  std::size_t size_;
  void* memory_;
};

class Memory : public ::testing::Test {
 protected:
  void SetUp() override {
    if (kSanitized) {
      GTEST_SKIP() << "the sanitizer's own memory is in the way";
    }
  }
};

TEST_F(Memory, OfASmallChildIsSmallUnderABigTool) {
  const Ballast ballast(300 * kMiB);
  EXPECT_LT(*early_spawner().run(program({"true"})).peak_rss, 16 * kMiB);
}

TEST_F(Memory, OfAChildIsWhatItTouched) {
  const Ballast ballast(300 * kMiB);
  for (const int touched : {50, 120}) {
    const std::int64_t peak = *early_spawner().run(actor("touch", touched, "")).peak_rss;
    EXPECT_GE(peak, touched * kMiB);
    EXPECT_LT(peak, (touched + 10) * kMiB);
  }
}

TEST_F(Memory, OfSeveralProcessesIsTheirSum) {
  for (const char* play : {"touch-apart", "touch-shared"}) {
    ProcessRequest request = actor(play, 160, "");
    request.adds_memory = true;
    const ProcessResult result = early_spawner().run(request);
    EXPECT_GE(*result.peak_rss, 150 * kMiB) << play;
    EXPECT_LT(*result.peak_rss, 180 * kMiB) << play;
    EXPECT_EQ(result.memory_of, play == std::string("touch-apart") ? kAllProcesses : "") << play;
  }
  ProcessRequest request = shell("sleep 0.1");  // and a shell
  request.adds_memory = true;
  EXPECT_LT(*early_spawner().run(request).peak_rss, 16 * kMiB);
}

TEST_F(Memory, OfSeveralProcessesIsTheLargestWithoutProc) {
  Spawner blind("/sys");
  ProcessRequest request = actor("touch-apart", 160, "");
  request.adds_memory = true;
  EXPECT_LT(*blind.run(request).peak_rss, 60 * kMiB);
}

TEST_F(Memory, OfASmallChildIsSmallAfterABigOne) {
  early_spawner().run(actor("touch", 120, ""));
  EXPECT_LT(*early_spawner().run(program({"true"})).peak_rss, 16 * kMiB);
}

TEST_F(Memory, OfAChildDoesNotBeginWithTheTools) {
  const std::int64_t early = *early_spawner().run(program({STATIC_PROGRAM})).peak_rss;
  EXPECT_LT(early, kMiB);
  const Ballast ballast(50 * kMiB);
  EXPECT_LT(std::abs(*Spawner().run(program({STATIC_PROGRAM})).peak_rss - early),
            static_cast<std::int64_t>(kMemoryResolution));
}

TEST_F(Memory, IsTheSameInEveryCommandWithinWhatTheKernelTells) {
  std::vector<std::int64_t> peaks;
  for (const std::size_t environment : {0, 1000, 8000, 24000, 60000}) {
    ProcessRequest request = program({STATIC_PROGRAM});
    request.environment = {{"PADDING", std::string(environment, 'x')}};
    for (int command = 0; command < 5; ++command) {
      peaks.push_back(*Spawner().run(request).peak_rss);
    }
  }
  const auto [least, most] = std::minmax_element(peaks.begin(), peaks.end());
  EXPECT_LT(*most - *least, static_cast<std::int64_t>(kMemoryResolution));
}

TEST_F(Memory, OfAChildStartedFromHereWouldBeTheTools) {
  const Ballast ballast(300 * kMiB);
  char name[] = "true";
  char* arguments[] = {name, nullptr};
  pid_t child = 0;
  ASSERT_EQ(posix_spawnp(&child, name, nullptr, nullptr, arguments, environ), 0);
  rusage usage{};
  ASSERT_EQ(wait4(child, nullptr, 0, &usage), child);
  EXPECT_GT(usage.ru_maxrss * 1024, 250 * kMiB);
}

}  // namespace
}  // namespace perf
