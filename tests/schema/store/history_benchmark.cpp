// What history costs to read from a cold store, and what a store weighs; run by hand:
//
//     BUILD/tests/history_benchmark [FILE [COMMITS [WORKLOADS [STEPS [PHASES]]]]]
//
// makes a store of one nightly run a commit (5,000 x 200 x 20 steps unless told), as the program
// writes it, drops it from the page cache, and loads it; a FILE is kept, and used where it is
// there. `history_benchmark sizes` weighs small stores of keys as large as those of a big one.
// Figures stand in docs/performance.md.

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "schema/store/connection.h"
#include "schema/store/internal.h"
#include "schema/store/store.h"
#include "tests/schema/store/example.h"

namespace {

using perf::Invocation;
using perf::Plan;
using perf::Store;
namespace store = perf::store;
namespace fs = std::filesystem;

struct Shape {
  int commits = 5000;
  int workloads = 200;
  int steps = 20;
  int phases = 0;  ///< a step
};

std::string oid_of(int commit) {
  char text[41];
  std::snprintf(text, sizeof text, "%040x", static_cast<unsigned>(commit) + 0x1000);
  return text;
}

std::string workload_of(int workload) {
  return "family/workload_" + std::to_string(workload);
}

Plan nightly(const Shape& shape, int commit) {
  Plan plan = perf::example::plan("run-" + std::to_string(commit));
  plan.purpose = perf::Purpose::collect;
  plan.base.reset();
  plan.head.oid = oid_of(commit);
  plan.head.parents = {oid_of(commit - 1)};
  plan.head.subject = "Change number " + std::to_string(commit);
  plan.head.dirty = false;
  plan.size = "ci";
  plan.missing.clear();
  plan.warnings.clear();
  plan.workloads.clear();
  for (int i = 0; i < shape.workloads; ++i) {
    plan.workloads.push_back(
        {{workload_of(i), {"bench", workload_of(i)}, "steps", {{"layers", std::int64_t{4}}}, 300},
         "",
         ""});
  }
  return plan;
}

/// As a quiet workload gives it: every column filled as on a real machine, memory in every step.
class Recorder {
 public:
  Invocation record(const Shape& shape, int commit, int workload) {
    Invocation made;
    made.workload = workload_of(workload);
    made.oid = oid_of(commit);
    made.pair = workload;
    made.start_order = workload;
    made.paired = false;
    made.steps_wanted = shape.steps;
    made.warmup_wanted = 2;
    made.seed = random_();
    made.padding = static_cast<int>(random_() % 4096);
    perf::ProcessResult& process = made.process;
    process.exit_code = 0;
    process.wall = near(0.5);
    process.user = near(0.4);
    process.system = near(0.05);
    process.peak_rss = (200 << 20) + static_cast<std::int64_t>(random_() % 64) * 4096;
    process.minor_faults = 5000 + static_cast<std::int64_t>(random_() % 500);
    process.major_faults = 0;
    process.voluntary_switches = static_cast<std::int64_t>(random_() % 100);
    process.involuntary_switches = static_cast<std::int64_t>(random_() % 100);
    process.steal = random_() % 4 == 0 ? 0.01 : 0.0;
    process.cpu_pressure = near(0.001);
    process.memory_available_before =
        (std::int64_t{8} << 30) + static_cast<std::int64_t>(random_() % 100000) * 4096;
    made.blocks = {block(shape, workload)};
    return made;
  }

 private:
  double near(double value) { return value * std::exp(0.01 * normal_(random_)); }

  perf::Block block(const Shape& shape, int workload) {
    perf::Block made;
    made.workload = workload_of(workload);
    made.params = {{"layers", std::int64_t{4}}};
    made.facts = {{"blas", "OpenBLAS 0.3.21"}, {"threads", "2"}};
    static const char* const names[] = {"forward", "backward", "optimizer", "loss"};
    for (int i = 0; i < shape.steps; ++i) {
      const double seconds = near(0.012);
      perf::Step& step = made.steps.emplace_back();
      step = {i, i < 2, seconds, 190 << 20};
      for (int k = 0; k < shape.phases; ++k) {
        step.phases.emplace_back(names[k % 4], near(seconds / (k + 2)));
      }
    }
    return made;
  }

  std::mt19937_64 random_{20260101};
  std::normal_distribution<double> normal_{};
};

void fill(const fs::path& file, const Shape& shape) {
  { const Store made(file); }
  store::Connection connection(file, store::Connection::Access::read_write);
  connection.execute("PRAGMA synchronous = OFF");  // nobody minds losing this one
  Recorder recorder;
  for (int commit = 0; commit < shape.commits; ++commit) {
    store::WriteTransaction transaction(connection);
    const Plan plan = nightly(shape, commit);
    store::insert_run(connection, plan, perf::example::policy(), "0", "2026-01-01T00:00:00Z");
    const std::int64_t run = store::find_run(connection, plan.run_id);
    for (int workload = 0; workload < shape.workloads; ++workload) {
      store::insert_invocation(connection, run, recorder.record(shape, commit, workload));
    }
    transaction.commit();
  }
}

/// Another handle than SQLite's: nothing may have the store open.
void drop_from_page_cache(const fs::path& file) {
  const int handle = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  fsync(handle);
  posix_fadvise(handle, 0, 0, POSIX_FADV_DONTNEED);
  close(handle);
}

struct Loaded {
  double seconds = 0;
  std::size_t values = 0;
  std::size_t series = 0;
};

Loaded load(const fs::path& file, const Shape& shape, const std::vector<std::string>& metrics) {
  perf::HistoryQuery query;
  query.metrics = metrics;
  for (int commit = 0; commit < shape.commits; ++commit) {
    query.oids.push_back(oid_of(commit));
  }
  const auto start = std::chrono::steady_clock::now();
  const Store opened(file, Store::Access::read_only);
  const perf::RecordedHistory history = opened.load_recorded(query);
  Loaded loaded;
  loaded.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  loaded.series = history.series.size();
  for (const perf::RecordedSeries& series : history.series) {
    loaded.values += series.values.size();
  }
  return loaded;
}

void show(const char* what, const Loaded& loaded) {
  std::printf("%-32s %6.2f s  %zu series, %zu values\n", what, loaded.seconds, loaded.series,
              loaded.values);
}

int time_loading(const fs::path& file, const Shape& shape) {
  if (!fs::exists(file)) {
    fill(file, shape);
  }
  std::printf("%d commits x %d workloads x %d steps: %.0f MB\n", shape.commits, shape.workloads,
              shape.steps, static_cast<double>(fs::file_size(file)) / 1e6);
  for (int repetition = 0; repetition < 3; ++repetition) {
    drop_from_page_cache(file);
    show("cold, step_time", load(file, shape, {"step_time"}));
    show("warm, step_time", load(file, shape, {"step_time"}));
    drop_from_page_cache(file);
    show("cold, all metrics", load(file, shape, {}));
  }
  return 0;
}

/// Keys as large as those of a store of a million invocations: a small one would weigh too little.
void make_room(const fs::path& file) {
  const Shape one{1, 1, 1, 0};
  fill(file, one);
  store::Connection connection(file, store::Connection::Access::read_write);
  connection.execute(
      "PRAGMA foreign_keys = OFF; UPDATE step SET block = 1000000; "
      "UPDATE block SET key = 1000000, invocation = 1000000; "
      "UPDATE invocation SET key = 1000000, run = 4000; "
      "UPDATE run_workload SET run = 4000; UPDATE run_fact SET run = 4000; "
      "UPDATE run SET key = 4000, id = 'first'");
}

double grown(const fs::path& folder, const Shape& shape) {
  const fs::path file = folder / "sizes.db";
  make_room(file);
  const auto before = static_cast<double>(fs::file_size(file));
  fill(file, shape);
  const double after = static_cast<double>(fs::file_size(file));
  fs::remove(file);
  return after - before;
}

/// One invocation of a workload a run is the dearest: its share of the run is the largest.
int weigh() {
  const perf::example::Folder folder;
  for (const int steps : {8, 10, 20, 40}) {
    const Shape plain{150, 200, steps, 0};
    const Shape phased{150, 200, steps, 3};
    const double count = static_cast<double>(plain.commits) * plain.workloads * steps;
    const double without = grown(folder.path(), plain);
    const double with = grown(folder.path(), phased);
    std::printf("%2d steps an invocation: %.1f B a step, %.1f B a phase\n", steps, without / count,
                (with - without) / (3 * count));
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "sizes") {
    return weigh();
  }
  const auto number = [&](int place, int otherwise) {
    return argc > place ? std::atoi(argv[place]) : otherwise;
  };
  const perf::example::Folder folder;
  return time_loading(argc > 1 ? fs::path(argv[1]) : folder / "history.db",
                      {number(2, 5000), number(3, 200), number(4, 20), number(5, 0)});
}
