// Processes that die and processes that crowd. Children are forks that open the store themselves:
// a connection must not cross a fork.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <random>
#include <thread>

#include "schema/error.h"
#include "schema/files/content.h"
#include "schema/store/connection.h"
#include "schema/store/store.h"
#include "tests/schema/store/example.h"

namespace perf {
namespace {

using Clock = std::chrono::steady_clock;

/// Forks a child that ends with 0 when `work` returns, 1 with a message when it throws.
pid_t start(const std::function<void()>& work) {
  const pid_t child = fork();
  if (child == 0) {
    int status = 0;
    try {
      work();
    } catch (const std::exception& e) {
      dprintf(STDERR_FILENO, "child: %s\n", e.what());
      status = 1;
    }
    _exit(status);
  }
  return child;
}

/// Invocations whole in the store must be these; acknowledged ones must be there.
void expect_whole(const std::filesystem::path& file, const std::string& run, int acknowledged,
                  int steps) {
  Store store(file);
  EXPECT_TRUE(store.problems().empty());
  const Measurements measurements = store.load(run);
  ASSERT_GE(static_cast<int>(measurements.invocations.size()), acknowledged);
  ASSERT_LE(static_cast<int>(measurements.invocations.size()), acknowledged + 1);
  for (std::size_t i = 0; i < measurements.invocations.size(); ++i) {
    ASSERT_EQ(example::dump(measurements.invocations[i]),
              example::dump(example::invocation(static_cast<int>(i), steps)));
  }
}

TEST(Durability, SurvivesAKilledWriter) {
  constexpr int kKills = 30;
  constexpr int kSteps = 300;  // several pages, so that there is a middle to be killed in
  const example::Folder folder;
  const std::filesystem::path file = folder / "results.db";
  std::mt19937 random(20260101);
  int undone = 0;
  for (int kill_number = 0; kill_number < kKills; ++kill_number) {
    const std::string run = "run-" + std::to_string(kill_number);
    int pipe_ends[2];
    ASSERT_EQ(pipe(pipe_ends), 0);
    const pid_t child = start([&] {
      Store store(file);
      store.begin_run(example::plan(run), {}, "0.1.0");
      for (int i = 0;; ++i) {
        if (write(pipe_ends[1], "+", 1) != 1) {  // begun, or the invocation before is acknowledged
          return;
        }
        store.add(run, example::invocation(i, kSteps));
      }
    });
    close(pipe_ends[1]);
    // Let some be stored, then strike at any moment of one; how long one takes is the disk's mood.
    char mark = 0;
    int marks = 0;
    Clock::duration one{};
    for (const int wanted = static_cast<int>(2 + random() % 3); marks < wanted; ++marks) {
      const Clock::time_point before = Clock::now();
      ASSERT_EQ(read(pipe_ends[0], &mark, 1), 1);
      one = Clock::now() - before;
    }
    std::this_thread::sleep_for(one * static_cast<int>(random() % 120) / 100);
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    while (read(pipe_ends[0], &mark, 1) == 1) {
      ++marks;
    }
    close(pipe_ends[0]);
    undone += std::filesystem::exists(file.string() + "-journal") ? 1 : 0;
    expect_whole(file, run, marks - 1, kSteps);
  }
  RecordProperty("kills_with_a_journal_left", undone);
}

/// A store as a writer leaves it that dies between its first page and its commit.
void leave_half_done(const std::filesystem::path& file, const std::filesystem::path& left) {
  store::Connection connection(file, store::Connection::Access::read_write);
  connection.execute("PRAGMA cache_size = 1; BEGIN IMMEDIATE; UPDATE step SET seconds = 1");
  std::filesystem::copy_file(file, left);
  std::filesystem::copy_file(file.string() + "-journal", left.string() + "-journal");
  connection.execute("ROLLBACK");
}

TEST(Durability, UndoesAnUnfinishedWrite) {
  const example::Folder folder;
  Store store(folder / "results.db");
  store.begin_run(example::plan(), {}, "0.1.0");
  store.add("run-1", example::invocation(0, 3000));
  leave_half_done(folder / "results.db", folder / "left.db");
  ASSERT_NE(content_of(folder / "results.db"), content_of(folder / "left.db"));
  EXPECT_EQ(example::dump(Store(folder / "left.db").load("run-1")),
            example::dump(store.load("run-1")));
  EXPECT_FALSE(std::filesystem::exists(folder / "left.db-journal"));
}

TEST(Durability, ChecksEveryPageAfterAnUnfinishedWrite) {
  const example::Folder folder;
  Store store(folder / "results.db");
  store.begin_run(example::plan(), {}, "0.1.0");
  store.add("run-1", example::invocation(0, 3000));
  store::Connection connection(folder / "results.db", store::Connection::Access::read_only);
  const auto root = connection.value<std::size_t>(
      "SELECT rootpage FROM sqlite_schema WHERE name = 'metric_value'");
  leave_half_done(folder / "results.db", folder / "left.db");
  std::string torn = content_of(folder / "left.db");
  torn.replace((root.value() - 1) * 4096, 512, 512, '\x55');
  example::write(folder / "left.db", torn);
  EXPECT_THROW(Store(folder / "left.db"), Error);
  // Without a dead writer, opening does not read the whole file, and problems() is who tells.
  EXPECT_FALSE(std::filesystem::exists(folder / "left.db-journal"));
  EXPECT_FALSE(Store(folder / "left.db").problems().empty());
}

TEST(Durability, SurvivesAKilledCreator) {
  const example::Folder folder;
  std::mt19937 random(20260102);
  for (int i = 0; i < 20; ++i) {
    const std::filesystem::path file = folder / ("results-" + std::to_string(i) + ".db");
    const pid_t child = start([&] { Store store(file); });
    usleep(static_cast<useconds_t>(random() % 12000));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    Store store(file);
    EXPECT_TRUE(store.problems().empty());
    EXPECT_TRUE(store.runs().empty());
  }
}

TEST(Durability, SupportsManyWriters) {
  constexpr int kWriters = 8;
  constexpr int kAdds = 50;
  const example::Folder folder;
  const std::filesystem::path file = folder / ".perf-compare/results.db";
  std::vector<pid_t> children;
  children.reserve(kWriters);
  for (int writer = 0; writer < kWriters; ++writer) {
    // All of them find no store: they create it together, too.
    children.push_back(start([&file, writer] {
      const std::string run = "run-" + std::to_string(writer);
      Store store(file);
      store.begin_run(example::plan(run), {}, "0.1.0");
      for (int i = 0; i < kAdds; ++i) {
        store.add(run, example::invocation(i));
        if (i % 10 == 0) {
          store.load(run);
        }
      }
      store.finish_run(example::report(run));
    }));
  }
  for (const pid_t child : children) {
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  Store store(file);
  EXPECT_EQ(store.runs().size(), static_cast<std::size_t>(kWriters));
  for (int writer = 0; writer < kWriters; ++writer) {
    EXPECT_EQ(store.load("run-" + std::to_string(writer)).invocations.size(),
              static_cast<std::size_t>(kAdds));
  }
  EXPECT_TRUE(store.problems().empty());
}

}  // namespace
}  // namespace perf
