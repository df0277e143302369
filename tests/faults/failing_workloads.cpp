#include "tests/faults/failing_workloads.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "schema/store/store.h"
#include "tests/contains.h"

namespace perf::test {
namespace {

constexpr const char* kSound = R"sh(cat > "$PERF_COMPARE_OUT" <<'EOF'
{"type":"begin","protocol":1}
{"type":"step","seconds":0.1}
{"type":"end"}
EOF
)sh";

std::string config_of(const std::vector<FailingWorkload>& workloads) {
  nlohmann::json entries;
  for (const FailingWorkload& one : workloads) {
    entries.push_back({{"name", one.name},
                       {"command", one.command},
                       {"format", one.format},
                       {"timeout", one.timeout}});
  }
  return nlohmann::json{{"workloads", entries}}.dump(1);
}

void expect_recorded(const FailingWorkload& wanted, const Measurements& history) {
  int attempts = 0;
  for (const Invocation& done : history.invocations) {
    if (done.workload == wanted.name && !done.traced) {
      ++attempts;
      EXPECT_EQ(done.failure.substr(0, wanted.reason.size()), wanted.reason) << wanted.name;
      EXPECT_EQ(done.failure.empty(), wanted.reason.empty()) << wanted.name << done.failure;
    }
  }
  EXPECT_EQ(attempts, wanted.reason.empty() ? 1 : 2) << wanted.name;
}

}  // namespace

long peak_memory_of_children() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  return usage.ru_maxrss * 1024;
}

std::vector<std::string> by_shell(const std::string& script) {
  return {"sh", "-c", script};
}

double collect_failing(const std::vector<FailingWorkload>& workloads) {
  std::vector<FailingWorkload> all = workloads;
  all.push_back({"sound", by_shell(kSound), ""});
  ScratchRepository repository;
  repository.write("perf-compare.json", config_of(all));
  repository.commit("Go wrong in many ways");
  const auto started = std::chrono::steady_clock::now();
  const Outcome outcome =
      repository.perf_compare({"collect", "HEAD", "--pairs", "1", "--budget", "10h"});
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - started;
  const bool any = std::any_of(workloads.begin(), workloads.end(),
                               [](const FailingWorkload& one) { return !one.reason.empty(); });
  EXPECT_EQ(outcome.exit_code, any ? 3 : 0) << outcome.err;
  const Store store(repository.path() / ".perf-compare" / "results.db");
  const std::vector<std::string> runs = store.run_ids("");
  EXPECT_EQ(runs.size(), 1u) << outcome.err;
  const Measurements history = store.load(runs.at(0));
  const std::string shown = repository.perf_compare({"show", "--json", "-"}).out;
  for (const FailingWorkload& one : all) {
    expect_recorded(one, history);
    if (!one.reason.empty()) {
      EXPECT_TRUE(contains(outcome.err, one.name + ": failed: " + one.reason)) << one.name;
      EXPECT_TRUE(contains(shown, one.reason)) << one.name;
    }
  }
  return took.count();
}

}  // namespace perf::test
