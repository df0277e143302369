// Sixteen processes write to one store while others read it and measure into it. Nothing is lost,
// and none fails.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <functional>
#include <set>

#include "schema/error.h"
#include "schema/store/store.h"
#include "tests/faults/brief_repository.h"
#include "tests/faults/effort.h"
#include "tests/schema/store/example.h"

namespace perf::test {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr int kCrowd = 16;

double seconds_since(Clock::time_point began) {
  return std::chrono::duration<double>(Clock::now() - began).count();
}

/// Forks a child that ends with 0, or with 1 and a message if `work` throws or a check fails.
/// Connections must not cross a fork: `work` opens its own.
pid_t start(const std::function<void()>& work) {
  const pid_t child = fork();
  if (child != 0) {
    return child;
  }
  try {
    work();
  } catch (const std::exception& error) {
    dprintf(STDERR_FILENO, "child: %s\n", error.what());
    _exit(1);
  }
  _exit(::testing::Test::HasFailure() ? 1 : 0);
}

std::string run_id(int writer, int number) {
  return "run-" + std::to_string(writer) + "-" + std::to_string(number);
}

/// Writes runs like a collector; the longest duration of a call goes to `report`.
void write_runs(const fs::path& file, int writer, int runs, int report) {
  double longest = 0;
  const auto timed = [&longest](const std::function<void()>& call) {
    const Clock::time_point began = Clock::now();
    call();
    longest = std::max(longest, seconds_since(began));
  };
  for (int i = 0; i < runs; ++i) {
    const std::string id = run_id(writer, i);
    Store store(file);  // a run is a process
    timed([&] { store.begin_run(example::plan(id), example::policy(), "0.1.0"); });
    timed([&] { store.add(id, example::invocation(writer)); });
    timed([&] { store.finish_run(example::report(id)); });
  }
  if (write(report, &longest, sizeof longest) != sizeof longest) {
    throw std::runtime_error("the pipe is closed");
  }
}

/// Repeats the commands until `ended` exists; each must succeed.
void repeat_until(const fs::path& ended, const BriefRepository& repository,
                  const std::vector<std::vector<std::string>>& commands) {
  for (std::size_t i = 0; !fs::exists(ended); ++i) {
    const Outcome outcome = repository.perf_compare(commands[i % commands.size()]);
    EXPECT_EQ(outcome.exit_code, 0) << commands[i % commands.size()][0] << ": " << outcome.err;
  }
}

/// Every run of every writer is finished and complete.
void expect_nothing_lost(const Store& store, int runs) {
  EXPECT_EQ(store.problems(), std::vector<std::string>{});
  const std::vector<std::string> stored = store.run_ids("run-");
  EXPECT_EQ(stored.size(), static_cast<std::size_t>(kCrowd * runs));
  const std::set<std::string> ids(stored.begin(), stored.end());
  for (int writer = 0; writer < kCrowd; ++writer) {
    const std::string expected = example::dump(example::invocation(writer));
    for (int i = 0; i < runs; ++i) {
      const std::string id = run_id(writer, i);
      ASSERT_EQ(ids.count(id), 1u) << id;
      const Measurements history = store.load(id);
      ASSERT_EQ(history.invocations.size(), 1u) << id;
      ASSERT_EQ(example::dump(history.invocations[0]), expected) << id;
      ASSERT_TRUE(store.load_report(id)) << id;
    }
  }
}

TEST(Crowd, LosesNothing) {
  const int runs = tries(10, 1000);
  const BriefRepository repository(2);
  const fs::path ended = repository.path().parent_path() / "ended";
  int longest[2];
  ASSERT_EQ(pipe(longest), 0);
  std::vector<pid_t> writers, others;
  const Clock::time_point began = Clock::now();
  for (int writer = 0; writer < kCrowd; ++writer)  // they make the store, too
  {
    writers.push_back(start([&] { write_runs(repository.store(), writer, runs, longest[1]); }));
  }
  const std::vector<std::vector<std::vector<std::string>>> beside{
      {{"list"}, {"pins"}, {"trend"}},
      {{"collect", "HEAD~1..HEAD", "--pairs", "1"}, {"collect", "HEAD", "--missing"}}};
  for (const std::vector<std::vector<std::string>>& commands : beside) {
    others.push_back(start([&] { repeat_until(ended, repository, commands); }));
  }

  const auto expect_well = [](pid_t child) {
    int status = -1;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  };
  for (const pid_t writer : writers) {
    expect_well(writer);
  }
  const double took = seconds_since(began);
  std::ofstream(ended) << "";
  for (const pid_t other : others) {
    expect_well(other);
  }
  close(longest[1]);  // or a writer that failed is waited for
  double worst = 0, one = 0;
  for (int writer = 0; writer<kCrowd&& ::read(longest[0], &one, sizeof one)> 0; ++writer) {
    worst = std::max(worst, one);
  }
  close(longest[0]);
  close(longest[1]);

  const Store store(repository.store());
  expect_nothing_lost(store, runs);
  const std::int64_t collected = store.count_runs() - std::int64_t{kCrowd} * runs;
  EXPECT_GT(collected, 0);
  char text[200];
  std::snprintf(text, sizeof text,
                "%d runs in %.0f s (3 transactions each), and %d collected beside them; the "
                "longest wait was %.1f s",
                kCrowd * runs, took, static_cast<int>(collected), worst);
  figure("16 writers", text);
}

}  // namespace
}  // namespace perf::test
