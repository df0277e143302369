#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "analyzer/analyze.h"
#include "analyzer/next.h"
#include "tests/analyzer/samples/scripted_run.h"

// Whole reports of which a random half runs the same program: what is left shares the error rate as
// if nothing else had been asked for, and audits of what is the same agree.
namespace perf {
namespace {

constexpr int kReports = 2000;
constexpr double kSpread = 0.03;  ///< of a paired difference, ln

struct Truth {
  double measured = 0;  ///< change of what differs, relative
  double same = 0;      ///< of what looking calls the same: not 0 where it is wrong
};

struct Seen {
  int regressed = 0, unchanged = 0;  ///< reports in which something that was measured is called so
  int alarmed = 0;                   ///< in which an audit is
  int audited = 0;                   ///< that have one
  int wrong_same = 0;                ///< rows of the same program that are not plainly unchanged
};

/// Draws which workloads are the same; of those every other one is audited.
Plan nightly_alarms_of(std::mt19937_64& engine) {
  Plan plan = scripted::plan_of({"a", "b", "c", "d", "e", "f", "g", "h"});
  bool audited = false;
  for (PlannedWorkload& planned : plan.workloads) {
    const bool same = engine() % 2 == 0;
    planned.trace_record = TraceRecord{"1", same ? "1" : "2", same ? "" : "bench: .text", false};
    planned.trace_record->audited = same && (audited = !audited);
  }
  return plan;
}

Report measured(const Plan& plan, const Policy& policy, const Truth& truth,
                std::mt19937_64& engine) {
  std::normal_distribution<double> noise(0, kSpread);
  Measurements measurements;
  for (const PlannedWorkload& planned : plan.workloads) {
    measurements.invocations.push_back(
        scripted::invocation_of(planned.workload.name, Side::head, 0, {77.0}));
    measurements.invocations.back().traced = true;
  }
  std::vector<int> pairs(plan.workloads.size());
  while (const std::optional<Demand> demand = next(plan, measurements, policy)) {
    for (const WorkloadDemand& wanted : demand->workloads) {
      const PlannedWorkload& planned = plan.workloads[wanted.workload];
      const double change = planned.trace_record->same() ? truth.same : truth.measured;
      for (int i = 0; i < wanted.count; ++i) {
        scripted::add_pair(measurements, planned.workload.name, pairs[wanted.workload]++, 0.01,
                           0.01 * (1 + change) * std::exp(noise(engine)));
      }
    }
  }
  return analyze(plan, measurements, policy, {});
}

bool any(const Report& report, Verdict verdict) {
  return std::ranges::any_of(report.comparisons, [verdict](const Comparison& one) {
    return !one.is_same_program() && one.verdict == verdict;
  });
}

Seen replay(const Policy& policy, const Truth& truth) {
  std::mt19937_64 engine(20261125);
  Seen seen;
  for (int i = 0; i < kReports; ++i) {
    const Plan plan = nightly_alarms_of(engine);
    const Report report = measured(plan, policy, truth, engine);
    seen.regressed += any(report, Verdict::regressed);
    seen.unchanged += any(report, Verdict::unchanged);
    seen.alarmed += std::ranges::any_of(report.audits, &ControlResult::alarmed);
    seen.audited += !report.audits.empty();
    seen.wrong_same +=
        static_cast<int>(std::ranges::count_if(report.comparisons, [](const Comparison& one) {
          return one.is_same_program() && (one.verdict != Verdict::unchanged || one.change != 0);
        }));
    EXPECT_EQ(report.judged, std::ranges::count_if(plan.workloads, [](const PlannedWorkload& one) {
                return !one.trace_record->same();
              }));
  }
  return seen;
}

/// So many of the reports, with three standard deviations.
double most(double alpha) {
  return alpha * kReports + 3 * std::sqrt(alpha * (1 - alpha) * kReports);
}

Policy policy() {
  Policy wanted;
  wanted.metrics = {"step_time"};
  wanted.alpha = 0.05;  // of 1 % there would be too little to count
  return wanted;
}

TEST(SameProgramReplay, LeavesTheErrorRateOfWhatIsMeasured) {
  // A change of half the threshold must not be called a regression.
  const Seen half = replay(policy(), {0.05, 0});
  EXPECT_LE(half.regressed, most(policy().alpha));
  EXPECT_EQ(half.wrong_same, 0);
  EXPECT_GT(half.audited, kReports / 2);
  EXPECT_LE(half.alarmed, most(policy().alpha)) << "audits agree";
  // One of the whole threshold must not be called unchanged.
  EXPECT_LE(replay(policy(), {0.10, 0}).unchanged, most(policy().alpha));
}

TEST(SameProgramReplay, FindsWrongTracesByAudits) {
  const Seen lies = replay(policy(), {0, 0.2});
  EXPECT_GE(lies.alarmed, 0.95 * lies.audited);
  EXPECT_LE(lies.regressed, most(policy().alpha));
}

}  // namespace
}  // namespace perf
