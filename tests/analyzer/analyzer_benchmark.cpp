#include <benchmark/benchmark.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "analyzer/analyze.h"
#include "analyzer/judge/judge.h"
#include "tests/analyzer/samples/scripted_run.h"

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

// Of so many metrics and as many checks in one block, as a stranger's benchmark may write them:
// twice as many should take about twice as long.
void analyze_a_block_of_metrics_and_checks(benchmark::State& state) {
  const perf::Plan plan = perf::scripted::plan_of({"w"});
  perf::Measurements measurements;
  perf::scripted::add_pairs(measurements, "w", 22, 1.1);
  for (perf::Invocation& invocation : measurements.invocations) {
    perf::Block& block = invocation.blocks.front();
    for (int i = 0; i < state.range(0); ++i) {
      perf::MetricValue value;
      value.metric.name = "metric_" + std::to_string(i);
      value.value = 100 + i;
      block.metrics.push_back(value);
      perf::Check check;
      check.name = "check_" + std::to_string(i);
      check.passed = true;
      block.checks.push_back(check);
    }
  }
  for (auto _ : state) {
    benchmark::DoNotOptimize(perf::analyze(plan, measurements, perf::Policy{}, {}));
  }
}
BENCHMARK(analyze_a_block_of_metrics_and_checks)
    ->Arg(250)
    ->Arg(500)
    ->Arg(2000)
    ->Unit(benchmark::kMillisecond);

}  // namespace
