#include <benchmark/benchmark.h>

#include "reporter/render.h"
#include "tests/reporter/sample_reports.h"
#include "tests/reporter/sample_trends.h"

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

/// A history of a million points (5,000 commits x 200 series); the aim is below 1 s.
void trend_json(benchmark::State& state) {
  const perf::TrendReport report = perf::samples::long_history(200, 5000);
  for (auto round : state) {
    benchmark::DoNotOptimize(perf::render_trend_json(report));
  }
}
BENCHMARK(trend_json)->Unit(benchmark::kMillisecond);

void trend_terminal(benchmark::State& state) {
  const perf::TrendReport report = perf::samples::long_history(200, 5000);
  for (auto round : state) {
    benchmark::DoNotOptimize(perf::render_trend_terminal(report, true));
  }
}
BENCHMARK(trend_terminal)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
