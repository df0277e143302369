#include <benchmark/benchmark.h>

#include <cmath>
#include <random>
#include <vector>

#include "analyzer/judge/judge.h"

namespace {

// As many comparisons as a large project has series, of the most pairs that m = 1 ever takes, with
// noise so large that every look is taken.
std::vector<perf::JudgeCase> undecided_cases(int count, int pairs) {
  std::mt19937_64 engine(1);
  std::normal_distribution<double> noise(0, 0.5);
  std::vector<perf::JudgeCase> cases(static_cast<std::size_t>(count));
  for (perf::JudgeCase& one : cases) {
    one.threshold = 0.02;
    for (int pair = 0; pair < pairs; ++pair) {
      one.base.push_back({std::exp(noise(engine))});
      one.head.push_back({std::exp(noise(engine))});
    }
  }
  return cases;
}

void judge_ten_thousand_comparisons_of_74_pairs(benchmark::State& state) {
  const std::vector<perf::JudgeCase> cases = undecided_cases(10'000, 74);
  for (auto _ : state) {
    benchmark::DoNotOptimize(perf::judge(cases, perf::Policy{}, false));
  }
  state.SetItemsProcessed(state.iterations() * 10'000);
}
BENCHMARK(judge_ten_thousand_comparisons_of_74_pairs)->Unit(benchmark::kMillisecond);

void judge_one_comparison_of_100_000_pairs(benchmark::State& state) {
  const std::vector<perf::JudgeCase> cases = undecided_cases(1, 100'000);
  for (auto _ : state) {
    benchmark::DoNotOptimize(perf::judge(cases, perf::Policy{}, false));
  }
}
BENCHMARK(judge_one_comparison_of_100_000_pairs)->Unit(benchmark::kMillisecond);

}  // namespace
