#include <benchmark/benchmark.h>

#include "reporter/render.h"
#include "tests/reporter/samples.h"

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

void junit(benchmark::State& state) {
  const perf::Report report = perf::samples::many(kComparisons);
  for (auto round : state) {
    benchmark::DoNotOptimize(perf::render_junit(report));
  }
}
BENCHMARK(junit)->Unit(benchmark::kMillisecond);

void openmetrics(benchmark::State& state) {
  const perf::Report report = perf::samples::many(kComparisons);
  for (auto round : state) {
    benchmark::DoNotOptimize(perf::render_openmetrics(report));
  }
}
BENCHMARK(openmetrics)->Unit(benchmark::kMillisecond);

/// Everything that --github adds.
void github(benchmark::State& state) {
  const perf::Report report = perf::samples::many(kComparisons);
  for (auto round : state) {
    benchmark::DoNotOptimize(perf::render_github_summary(report, 900 * 1024));
    benchmark::DoNotOptimize(perf::render_github_annotations(report));
    benchmark::DoNotOptimize(perf::render_github_outputs(report, 1));
  }
}
BENCHMARK(github)->Unit(benchmark::kMillisecond);

/// Two metrics of a hundred workloads with their raw steps, at the first look and at the last.
void html(benchmark::State& state) {
  perf::Report report = perf::samples::many_measured(kComparisons / 2);
  const auto measured = perf::samples::measure(report, static_cast<int>(state.range(0)));
  std::size_t size = 0;
  for (auto round : state) {
    size = perf::render_html(report, measured).size();
  }
  state.counters["bytes"] = static_cast<double>(size);
}
BENCHMARK(html)->Arg(16)->Arg(108)->Unit(benchmark::kMillisecond);

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
    benchmark::DoNotOptimize(perf::render_terminal(report, true));
  }
}
BENCHMARK(trend_terminal)->Unit(benchmark::kMillisecond);

/// 500 series of 2,000 points, each drawn twice and embedded: what trend_page_benchmark.py opens.
void trend_html(benchmark::State& state) {
  const perf::TrendReport report = perf::samples::nights(500, 2000);
  std::size_t size = 0;
  for (auto round : state) {
    size = perf::render_html(report).size();
  }
  state.counters["MB"] = static_cast<double>(size) / 1e6;
}
BENCHMARK(trend_html)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
