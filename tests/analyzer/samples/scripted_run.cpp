#include "tests/analyzer/samples/scripted_run.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace perf::scripted {

Plan plan_of(const std::vector<std::string>& workloads, bool with_base) {
  Plan plan;
  plan.run_id = "run-1";
  if (with_base) {
    plan.base = Revision{};
    plan.base->oid = std::string(40, 'b');
  }
  plan.head.oid = std::string(40, 'a');
  for (const std::string& name : workloads) {
    PlannedWorkload planned;
    planned.workload.name = name;
    plan.workloads.push_back(planned);
  }
  return plan;
}

Block block_of(const std::vector<double>& seconds, const std::string& name) {
  Block block;
  block.workload = name;
  Step warmup;
  warmup.warmup = true;
  warmup.seconds = 100;
  block.steps.push_back(warmup);
  for (const double value : seconds) {
    Step step;
    step.index = static_cast<std::int64_t>(block.steps.size());
    step.seconds = value;
    block.steps.push_back(step);
  }
  return block;
}

Invocation invocation_of(const std::string& workload, Side side, int pair,
                         const std::vector<double>& seconds, std::int64_t rss) {
  Invocation invocation;
  invocation.workload = workload;
  invocation.side = side;
  invocation.pair = pair;
  invocation.process.exit_code = 0;
  invocation.process.peak_rss = rss;
  invocation.process.wall = 0.05;
  for (const double value : seconds) {
    invocation.process.wall += value;
  }
  invocation.blocks.push_back(block_of(seconds));
  return invocation;
}

Invocation failed_invocation(const std::string& workload, Side side, int pair, int attempt,
                             const std::string& failure) {
  Invocation invocation;
  invocation.workload = workload;
  invocation.side = side;
  invocation.pair = pair;
  invocation.attempt = attempt;
  invocation.process.exit_code = 1;
  invocation.failure = failure;
  return invocation;
}

void add_pair(Measurements& measurements, const std::string& workload, int pair, double base,
              double head, std::int64_t base_rss, std::int64_t head_rss) {
  const auto steps = [](double seconds) {
    return std::vector<double>{seconds * 0.999, seconds, seconds * 1.001};
  };
  measurements.invocations.push_back(
      invocation_of(workload, Side::base, pair, steps(base), base_rss));
  measurements.invocations.push_back(
      invocation_of(workload, Side::head, pair, steps(head), head_rss));
}

void add_pairs(Measurements& measurements, const std::string& workload, int count, double ratio,
               double rss_ratio) {
  for (int pair = 0; pair < count; ++pair) {
    const double noise = 1 + 0.004 * std::sin(1.0 + 2.3 * pair);
    const auto rss = static_cast<std::int64_t>(1e6 * (1 + 0.001 * std::cos(1.7 * pair)));
    add_pair(measurements, workload, pair, 0.010, 0.010 * ratio * noise, 1'000'000,
             static_cast<std::int64_t>(static_cast<double>(rss) * rss_ratio));
  }
}

const Comparison& row_of(const Report& report, const std::string& workload,
                         const std::string& metric) {
  const auto found = std::ranges::find_if(report.comparisons, [&](const Comparison& one) {
    return one.workload == workload && one.metric.name == metric;
  });
  if (found == report.comparisons.end()) {
    throw std::runtime_error("no row " + workload + " " + metric);
  }
  return *found;
}

}  // namespace perf::scripted
