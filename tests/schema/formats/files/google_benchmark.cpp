// The program whose output is google_benchmark.json beside it:
//   g++ -O2 -o gb google_benchmark.cpp -lbenchmark -lpthread
//   ./gb --benchmark_format=json --benchmark_repetitions=3 --benchmark_min_time=0.02

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

static void BM_Sort(benchmark::State& state) {
  std::vector<std::uint32_t> source(static_cast<std::size_t>(state.range(0)));
  std::uint32_t draw = 1;
  for (auto& value : source) {
    value = draw = draw * 1664525u + 1013904223u;
  }
  for (auto _ : state) {
    std::vector<std::uint32_t> values = source;
    std::sort(values.begin(), values.end());
    benchmark::DoNotOptimize(values.data());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
  state.SetBytesProcessed(state.iterations() * state.range(0) * 4);
}
BENCHMARK(BM_Sort)->Arg(64)->Arg(1024);

static void BM_Sum(benchmark::State& state) {
  std::vector<double> values(4096, 1.0);
  double sum = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(sum = std::accumulate(values.begin(), values.end(), 0.0));
  }
  state.counters["misses"] = 0;
  state.counters["sum"] = sum;
  state.SetLabel("a \"quoted\" label");
}
BENCHMARK(BM_Sum)->Unit(benchmark::kMicrosecond)->UseRealTime();

static void BM_Broken(benchmark::State& state) {
  state.SkipWithError("no input file");
  for (auto _ : state) {
  }
}
BENCHMARK(BM_Broken);

BENCHMARK_MAIN();
