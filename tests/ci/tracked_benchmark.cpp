// A Google Benchmark program as users have them: nothing in it knows of perf-compare.

#include <benchmark/benchmark.h>

#include <numeric>
#include <vector>

namespace {

void BM_sum(benchmark::State& state) {
  std::vector<int> numbers(static_cast<std::size_t>(state.range(0)), 1);
  for (auto _ : state) {
    benchmark::DoNotOptimize(std::accumulate(numbers.begin(), numbers.end(), 0));
  }
}
BENCHMARK(BM_sum)->Arg(1000)->Arg(4000);

}  // namespace

BENCHMARK_MAIN();
