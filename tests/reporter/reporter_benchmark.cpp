#include <benchmark/benchmark.h>

#include "reporter/render.h"
#include "tests/reporter/sample_reports.h"

// How long a report of 200 comparisons takes; the aim is below 100 ms in every format.
namespace {

constexpr int kComparisons = 200;

void terminal(benchmark::State& state) {
  const perf::Report report = perf::samples::many(kComparisons);
  for (auto round : state) {
    benchmark::DoNotOptimize(perf::render_terminal(report, true));
  }
}
BENCHMARK(terminal)->Unit(benchmark::kMillisecond);

void markdown(benchmark::State& state) {
  const perf::Report report = perf::samples::many(kComparisons);
  for (auto round : state) {
    benchmark::DoNotOptimize(perf::render_markdown(report));
  }
}
BENCHMARK(markdown)->Unit(benchmark::kMillisecond);

void json(benchmark::State& state) {
  const perf::Report report = perf::samples::many(kComparisons);
  for (auto round : state) {
    benchmark::DoNotOptimize(perf::render_json(report));
  }
}
BENCHMARK(json)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
