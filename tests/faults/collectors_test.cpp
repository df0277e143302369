// Two collectors with one repository and one cache, and signals to one of them.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <future>
#include <nlohmann/json.hpp>
#include <thread>

#include "schema/files/content.h"
#include "schema/store/store.h"
#include "tests/collector/process/processes.h"
#include "tests/contains.h"
#include "tests/faults/brief_repository.h"
#include "tests/faults/effort.h"
#include "tests/faults/striker.h"

namespace perf::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// Waits for another process, a minute at most.
bool wait_until(const std::function<bool()>& done) {
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (!done() && std::chrono::steady_clock::now() < give_up) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return done();
}

const std::string kProgram = PERF_BINARY_DIR "/bin/perf-compare";
const std::vector<std::string> kCollect{kProgram, "collect", "HEAD", "--pairs", "2"};

/// One collector builds, and another waits for it.
struct TwoCollectors : ::testing::Test {
  TwoCollectors() {
    repository.hold_builds();
    first = std::async(std::launch::async, [this] {
      return run({"sh", "-c", "echo $$ > ../first; exec \"$@\"", "sh", kCollect[0], "collect",
                  "HEAD", "--pairs", "2"},
                 repository.path());
    });
    EXPECT_TRUE(wait_until([this] { return repository.builds().size() == 1; }));
  }

  pid_t pid_of_first() const {
    return std::stoi(content_of(repository.path().parent_path() / "first"));
  }

  BriefRepository repository{1};
  std::future<Outcome> first;
};

TEST_F(TwoCollectors, BuildOnce) {
  const fs::path said = repository.path().parent_path() / "said";
  std::future<Outcome> second = std::async(std::launch::async, [&] {
    return run({"sh", "-c", "exec \"$@\" 2> ../said", "sh", kCollect[0], "collect", "HEAD",
                "--pairs", "2"},
               repository.path());
  });
  EXPECT_TRUE(wait_until([&] { return contains(content_of(said), "waiting for another run"); }));
  repository.let_builds_go();
  EXPECT_EQ(first.get().exit_code, 0);
  EXPECT_EQ(second.get().exit_code, 0);
  EXPECT_EQ(repository.builds().size(), 1u);
  EXPECT_EQ(Store(repository.store()).count_runs(), 2);
}

TEST_F(TwoCollectors, AreInterruptedWhileWaiting) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const Outcome second = run(kCollect, repository.path(), {}, "waiting for another run", signal);
    EXPECT_EQ(second.exit_code, 128 + signal) << second.err;
  }
  repository.let_builds_go();
  EXPECT_EQ(first.get().exit_code, 0) << "it is not disturbed";
  EXPECT_EQ(repository.builds().size(), 1u);
}

TEST_F(TwoCollectors, TakeOverFromAnInterruptedOne) {
  std::future<Outcome> second =
      std::async(std::launch::async, [this] { return run(kCollect, repository.path()); });
  kill(pid_of_first(), SIGTERM);
  EXPECT_EQ(first.get().exit_code, 143);
  repository.let_builds_go();
  EXPECT_TRUE(ended(second.get(), 0));
  EXPECT_EQ(repository.builds().size(), 2u) << "the interrupted build was begun anew";
  EXPECT_EQ(testing::wait_for_marked(repository.marker(), 0), 0);
}

/// The number of stored processes of each commit.
std::map<std::string, int> processes(const BriefRepository& repository) {
  std::map<std::string, int> counts;
  if (!fs::exists(repository.store())) {
    return counts;
  }
  const Store store(repository.store());
  EXPECT_EQ(store.problems(), std::vector<std::string>{});
  for (const std::string& id : store.run_ids({})) {
    for (const Invocation& invocation : store.load(id).invocations) {
      EXPECT_TRUE(invocation.ok()) << invocation.failure;
      if (!invocation.traced) {
        ++counts[invocation.oid];
      }
    }
  }
  return counts;
}

/// With --verbose, a process is printed after it is stored.
bool tells_of_process(const Outcome& outcome) {
  return contains(outcome.err, ", pair ");
}

TEST(InterruptedCollector, KeepsAndReportsItsMeasurements) {
  const BriefRepository repository(3);
  const fs::path report = repository.path().parent_path() / "out.json";
  const std::vector<std::string> asked{"collect", "HEAD~2..HEAD", "--pairs", "3", "--missing"};
  Striker striker(with_more(asked, {"-v", "--json", report.string()}), repository.path());
  ASSERT_EQ(striker.run_freely().exit_code, 0);
  const std::map<std::string, int> all = processes(repository);
  int stopped = 0, in_middle = 0;
  for (const int wanted = tries(4, 200); stopped < wanted && !::testing::Test::HasFailure();) {
    SCOPED_TRACE("after " + std::to_string(stopped) + " signals");
    fs::remove_all(repository.store().parent_path());
    fs::remove(report);
    if (stopped % 2 == 0) {
      fs::remove_all(repository.cache());
    }
    if (stopped % 20 == 18) {  // the machine may have become busier, or calmer
      striker.run_freely();
      fs::remove_all(repository.store().parent_path());
      fs::remove(report);
    }
    const int signal = stopped % 4 < 2 ? SIGINT : SIGTERM;
    const Outcome outcome = striker.strike(signal);
    if (outcome.exit_code == 0) {
      continue;
    }
    ++stopped;
    EXPECT_EQ(outcome.exit_code, 128 + signal) << outcome.err;
    if (tells_of_process(outcome)) {
      ++in_middle;
      EXPECT_FALSE(processes(repository).empty());
      // A signal may come after the last measurement.
      const bool is_complete = processes(repository) == all;
      const Json json = Json::parse(content_of(report));
      EXPECT_TRUE(json["interrupted"] == true || is_complete) << json;
      EXPECT_TRUE(contains(outcome.out, "measurements are kept") || is_complete) << outcome.out;
    }
    EXPECT_TRUE(ended(repository.perf_compare(asked), 0));
    EXPECT_EQ(processes(repository), all) << "nothing is measured twice, nothing is missing";
  }
  figure("SIGINT and SIGTERM",
         std::to_string(stopped) + " collectors stopped, " + std::to_string(in_middle) +
             " of them with something measured: kept, reported, and gone on with");
}

/// Whether a process has received every signal sent to it, or has ended.
bool has_heard(pid_t process) {
  const std::string status = content_of("/proc/" + std::to_string(process) + "/status");
  return status.empty() || contains(status, "ShdPnd:\t0000000000000000");
}

// As timeout(1), shells and CI runners do: the process receives the signal again.
TEST(InterruptedCollector, CountsSignalsToItsGroupOnce) {
  for (const int signal : {SIGTERM, SIGINT}) {
    BriefRepository repository(2);
    const fs::path folder = repository.path().parent_path();
    // Two pairs are measured; the fifth process does not end.
    const std::string bench = content_of(repository.path() / "bench");
    const std::string runs = (folder / "runs").string(), fifth = (folder / "fifth").string();
    repository.write("bench",
                     "#!/bin/sh\necho run >> " + runs + "\nif [ \"$(wc -l < " + runs +
                         ")\" -ge 5 ]; then\n  : > " + fifth + "\n  exec sleep 100\nfi\n" +
                         bench.substr(bench.find('\n') + 1),
                     true);
    repository.commit("Measure two pairs");
    std::future<Outcome> stopped = std::async(std::launch::async, [&] {
      return run({"setsid", "sh", "-c", "echo $$ > ../leader; exec \"$@\"", "sh", kProgram, "HEAD",
                  "HEAD", "--json", "../out.json"},
                 repository.path());
    });
    EXPECT_TRUE(wait_until([&] { return fs::exists(fifth); }));
    const pid_t leader = std::stoi(content_of(folder / "leader"));
    for (int i = 0; i < 3; ++i) {
      kill(-leader, signal);
      EXPECT_TRUE(wait_until([&] { return has_heard(leader); }));
    }
    const Outcome outcome = stopped.get();
    EXPECT_EQ(outcome.exit_code, 128 + signal) << outcome.err;
    const std::string report = content_of(folder / "out.json");
    ASSERT_TRUE(Json::accept(report, /*ignore_comments=*/true)) << outcome.err;
    EXPECT_EQ(Json::parse(report, nullptr, true, true)["interrupted"], true);
    EXPECT_FALSE(processes(repository).empty());
    EXPECT_EQ(testing::wait_for_marked(repository.marker(), 0), 0);
  }
}

/// Not interrupted: only the budget leaves rows undecided.
bool came_to_its_end(const Json& report) {
  return report["budget_spent"] == true || report["summary"]["inconclusive"] == 0;
}

/// Each row has all stored pairs of a comparison; an interrupted process is not a failure.
void expect_reports_what_is_kept(const Json& report, const BriefRepository& repository) {
  const Store store(repository.store());
  std::map<int, int> of_pair;
  for (const Invocation& one : store.load(report.at("id").get<std::string>()).invocations) {
    of_pair[one.pair] += one.ok() && !one.traced ? 1 : 0;
  }
  EXPECT_FALSE(of_pair.empty());
  const auto pairs = std::count_if(of_pair.begin(), of_pair.end(),
                                   [](const auto& pair) { return pair.second == 2; });
  EXPECT_FALSE(report["comparisons"].empty()) << report;
  for (const Json& row : report["comparisons"]) {
    EXPECT_EQ(row["pairs"], pairs) << report;
    EXPECT_NE(row["verdict"], "failed") << report;
  }
}

TEST(InterruptedCollector, DoesNotDisturbAnother) {
  const BriefRepository repository(2);
  const fs::path report = repository.path().parent_path() / "out.json";
  Striker striker({"HEAD~1", "HEAD", "--budget", "60ms", "-v", "--json", report.string()},
                  repository.path());
  ASSERT_EQ(striker.run_freely().exit_code, 0);
  int stopped = 0, in_middle = 0;
  for (const int wanted = tries(3, 100); stopped < wanted && !::testing::Test::HasFailure();) {
    SCOPED_TRACE("after " + std::to_string(stopped) + " signals");
    fs::remove_all(repository.cache());
    fs::remove(report);
    std::future<Outcome> other = std::async(std::launch::async, [&] {
      return repository.perf_compare({"collect", "HEAD", "--pairs", "2"});
    });
    const int signal = stopped % 2 == 0 ? SIGINT : SIGTERM;
    const Outcome outcome = striker.strike(signal);
    EXPECT_TRUE(ended(other.get(), 0));
    if (outcome.exit_code == 0) {
      continue;
    }
    ++stopped;
    EXPECT_EQ(outcome.exit_code, 128 + signal) << outcome.err;
    if (tells_of_process(outcome)) {
      ++in_middle;
      // Reported as interrupted, unless the signal came while the complete report was made.
      const Json json = Json::parse(content_of(report));
      EXPECT_TRUE(json["interrupted"] == true || came_to_its_end(json)) << json;
      expect_reports_what_is_kept(json, repository);
    }
    processes(repository);
  }
  EXPECT_EQ(striker.run_freely().exit_code, 0);
  figure("one of two collectors interrupted",
         std::to_string(stopped) + " stopped, " + std::to_string(in_middle) +
             " of them with something measured; the other ended well each time");
}

}  // namespace
}  // namespace perf::test
