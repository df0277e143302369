#include "tests/ci/recorded_line.h"

#include <cmath>
#include <numbers>
#include <sstream>

#include "tests/ci/claimed_benchmark.h"

namespace perf::test {
namespace {

std::string data_of(const std::string& text) {
  return "data " + std::to_string(text.size()) + "\n" + text + "\n";
}

/// What `git fast-import` reads: commits a day apart, all with the claimed benchmark.
std::string stream_of(std::size_t count, std::size_t from, const std::string& work) {
  std::ostringstream stream;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string when = std::to_string(1700000000 + 86400 * i) + " +0000\n";
    stream << "commit refs/heads/main\nmark :" << i + 1
           << "\nauthor Somebody <somebody@example.com> " << when
           << "committer Somebody <somebody@example.com> " << when
           << data_of("Commit " + std::to_string(i));
    if (i == 0) {
      stream << "M 100755 inline bench\n"
             << data_of(kClaimedBenchmark) << "M 100644 inline perf-compare.json\n"
             << data_of(kClaimedConfig);
    }
    stream << "M 100644 inline work\n" << data_of(i >= from ? work : "100");
  }
  return stream.str();
}

/// A standard normal number after Box & Muller, the same everywhere.
double normal(std::mt19937& random) {
  const double scale = 1.0 / (static_cast<double>(std::mt19937::max()) + 2);
  const double radius = (static_cast<double>(random()) + 1) * scale;
  const double angle = (static_cast<double>(random()) + 1) * scale;
  return std::sqrt(-2 * std::log(radius)) * std::cos(2 * std::numbers::pi * angle);
}

Plan plan_of(const std::string& oid, const std::string& machine, const std::string& workload,
             std::size_t index) {
  Plan plan;
  plan.run_id = machine + "-" + workload + "-" + std::to_string(index);
  plan.purpose = Purpose::collect;
  plan.head.oid = oid;
  plan.head.subject = "Commit " + std::to_string(index);
  plan.head.name = "HEAD";
  plan.environment.fingerprint = machine;
  plan.environment.machine = {{"cpu_model", machine}};
  PlannedWorkload planned;
  planned.workload.name = workload;
  planned.workload.command = {"./bench"};
  plan.workloads = {planned};
  return plan;
}

Invocation invocation_of(const std::string& oid, const std::string& workload, double seconds) {
  Invocation invocation;
  invocation.workload = workload;
  invocation.oid = oid;
  invocation.paired = false;
  invocation.steps_wanted = 3;
  invocation.process.exit_code = 0;
  invocation.process.wall = 4 * seconds;
  invocation.process.peak_rss = 10'000'000;
  Block block;
  block.workload = workload;
  for (int i = 0; i < 4; ++i) {
    block.steps.push_back({i, i == 0, seconds, std::nullopt, {}});
  }
  invocation.blocks = {block};
  return invocation;
}

}  // namespace

RecordedLine::RecordedLine(std::size_t count, std::size_t from, const std::string& work) {
  const std::string file = (path().parent_path() / "stream").string();
  write("../stream", stream_of(count, from, work));
  const Outcome outcome = run(
      {"sh", "-c", "git fast-import --quiet < '" + file + "' && git reset -q --hard main"}, path());
  if (outcome.exit_code != 0) {
    throw std::runtime_error("git fast-import: " + outcome.err);
  }
  std::istringstream lines(git({"rev-list", "--reverse", "main"}));
  for (std::string oid; std::getline(lines, oid);) {
    oids.push_back(oid);
  }
}

void RecordedLine::record(std::size_t begin, std::size_t end,
                          const std::function<double(std::size_t)>& level,
                          const std::string& machine, const std::string& workload,
                          const std::function<void(std::size_t, Block&)>& change) {
  Store store(path() / ".perf-compare" / "results.db");
  for (std::size_t i = begin; i < end; ++i) {
    const Plan plan = plan_of(oids[i], machine, workload, i);
    store.begin_run(plan, Policy{}, "test", "2020-01-01T00:00:00Z");
    Invocation made = invocation_of(oids[i], workload, level(i) * (1 + 0.01 * normal(random_)));
    change(i, made.blocks[0]);
    store.add(plan.run_id, made);
  }
}

Outcome RecordedLine::trend(const std::vector<std::string>& more) const {
  return perf_compare(with_more({"trend"}, more));
}

}  // namespace perf::test
