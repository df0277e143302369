// What storing costs. Figures and the machine they are from stand in docs/performance.md.

#include <benchmark/benchmark.h>

#include <filesystem>
#include <memory>

#include "schema/store/store.h"
#include "tests/schema/store/example.h"

namespace {

using perf::Invocation;
using perf::Store;
namespace example = perf::example;

/// An invocation as a quiet workload gives it: one block, memory in every step.
Invocation quiet(int order, int steps, bool phases) {
  Invocation invocation = example::invocation(order, steps);
  invocation.blocks.resize(1);
  invocation.blocks[0].metrics.clear();
  invocation.blocks[0].checks.clear();
  invocation.process.stdout_text.clear();
  invocation.process.stderr_text.clear();
  invocation.seed = 0x9E3779B97F4A7C15U * static_cast<std::uint64_t>(order + 1);
  invocation.attempt = 1;
  invocation.process.user = 0.123456;
  invocation.process.system = 0.012345;
  invocation.process.steal = 0;
  invocation.process.cpu_pressure = 0.000789;
  invocation.process.memory_available_before = std::int64_t{8} << 30;
  invocation.process.peak_rss = 200 << 20;
  for (perf::Step& step : invocation.blocks[0].steps) {
    step.rss = 200 << 20;
    if (!phases) {
      step.phases.clear();
    }
  }
  return invocation;
}

void report_rate(benchmark::State& state, std::int64_t steps) {
  state.SetItemsProcessed(state.iterations() * steps);
}

/// One transaction of 100,000 steps.
void store_100000_steps_at_once(benchmark::State& state) {
  const Invocation invocation = quiet(0, 100'000, state.range(0) != 0);
  for (auto _ : state) {
    state.PauseTiming();
    auto folder = std::make_unique<example::Folder>();
    auto store = std::make_unique<Store>(*folder / "results.db");
    store->begin_run(example::plan(), {}, "0");
    state.ResumeTiming();
    store->add("run-1", invocation);
    state.PauseTiming();
    store.reset();
    folder.reset();
    state.ResumeTiming();
  }
  report_rate(state, 100'000);
}
BENCHMARK(store_100000_steps_at_once)
    ->ArgName("phases")
    ->Arg(0)
    ->Arg(1)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

/// As a run does it: each invocation durable before the next begins.
void store_an_invocation(benchmark::State& state) {
  const example::Folder folder;
  Store store(folder / "results.db");
  store.begin_run(example::plan(), {}, "0");
  const int steps = static_cast<int>(state.range(0));
  int order = 0;
  for (auto _ : state) {
    store.add("run-1", quiet(order++, steps, true));
  }
  report_rate(state, steps);
}
BENCHMARK(store_an_invocation)
    ->ArgName("steps")
    ->Arg(10)
    ->Arg(30)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

void load_a_run_of_1000_invocations(benchmark::State& state) {
  const example::Folder folder;
  Store store(folder / "results.db");
  store.begin_run(example::plan(), {}, "0");
  for (int i = 0; i < 1000; ++i) {
    store.add("run-1", quiet(i, 10, true));
  }
  for (auto _ : state) {
    benchmark::DoNotOptimize(store.load("run-1"));
  }
  report_rate(state, 10'000);
}
BENCHMARK(load_a_run_of_1000_invocations)->Unit(benchmark::kMillisecond);

/// A store of so many invocations; returns its size in B.
double fill(const std::filesystem::path& file, int invocations, int steps, bool phases) {
  Store store(file);
  store.begin_run(example::plan(), {}, "0");
  store.add("run-1", quiet(0, 1, phases));
  for (int i = 1; i <= invocations; ++i) {
    store.add("run-1", quiet(i, steps, phases));
  }
  return static_cast<double>(std::filesystem::file_size(file));
}

/// Start-up must not grow with the store.
void open_a_store(benchmark::State& state) {
  const example::Folder folder;
  fill(folder / "results.db", static_cast<int>(state.range(0)), 1000, true);
  for (auto _ : state) {
    Store store(folder / "results.db");
    benchmark::DoNotOptimize(store.runs(1));
  }
}
BENCHMARK(open_a_store)
    ->ArgName("thousand_steps")
    ->Arg(0)
    ->Arg(1000)
    ->Unit(benchmark::kMillisecond);

/// What a step, with its share of the invocation, and a phase of it add to the file.
void size_of_a_step(benchmark::State& state) {
  constexpr int kInvocations = 2000;
  const int steps = static_cast<int>(state.range(0));
  const example::Folder folder;
  for (auto _ : state) {
    const double empty = fill(folder / "empty.db", 0, 0, true);
    const double plain = fill(folder / "plain.db", kInvocations, steps, false) - empty;
    const double phases = fill(folder / "phases.db", kInvocations, steps, true) - empty;
    state.counters["bytes_per_step"] = plain / (kInvocations * steps);
    state.counters["bytes_per_phase"] = (phases - plain) / (2.0 * kInvocations * steps);
  }
}
BENCHMARK(size_of_a_step)
    ->ArgName("steps")
    ->Arg(5)
    ->Arg(10)
    ->Arg(20)
    ->Arg(30)
    ->Iterations(1)
    ->Unit(benchmark::kSecond);

}  // namespace

BENCHMARK_MAIN();
