#include <benchmark/benchmark.h>

#include <random>
#include <vector>

#include "analyzer/detector/change_points.h"
#include "tests/analyzer/detector/synthetic_series.h"

namespace {

using perf::test::Nature;

/// White noise with a step of 5 % in the middle.
std::vector<double> stepped(std::size_t points) {
  std::mt19937_64 random(1);
  return perf::test::times(perf::test::noise_of(Nature::white, points, 0.01, random), points / 2,
                           0.05);
}

void steps_of_a_series(benchmark::State& state) {
  const std::vector<double> values = stepped(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) {
    benchmark::DoNotOptimize(perf::find_steps(values));
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(steps_of_a_series)->Arg(200)->Arg(1000)->Arg(5000)->Arg(1'000'000);

void suspects_of_a_series(benchmark::State& state) {
  const std::vector<double> values = stepped(static_cast<std::size_t>(state.range(0)));
  const std::vector<perf::FoundStep> steps = perf::find_steps(values);
  for (auto _ : state) {
    benchmark::DoNotOptimize(perf::find_suspects(values, steps));
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(suspects_of_a_series)->Arg(200)->Arg(5000);

void slope_of_a_series(benchmark::State& state) {
  const std::vector<double> values = stepped(5000);
  const std::vector<perf::FoundStep> steps = perf::find_steps(values);
  for (auto _ : state) {
    benchmark::DoNotOptimize(perf::find_slope(values, steps));
  }
}
BENCHMARK(slope_of_a_series);

}  // namespace
