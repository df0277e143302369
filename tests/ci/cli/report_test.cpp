#include <gtest/gtest.h>

#include "analyzer/analyze.h"
#include "analyzer/show/views.h"
#include "schema/store/store.h"
#include "tests/schema/store/example.h"

namespace perf {
namespace {

constexpr int kPairs = 40;
constexpr double kWall = 0.5, kTook = 0.6;  ///< s of a process, and of what the budget counts

Invocation measured(const Plan& plan, Side side, int pair) {
  Invocation one;
  one.workload = plan.workloads[0].workload.name;
  one.side = side;
  one.oid = side == Side::base ? plan.base->oid : plan.head.oid;
  one.pair = pair;
  one.start_order = 2 * pair + (side == Side::base ? 0 : 1);
  one.process.exit_code = 0;
  one.process.wall = kWall;
  one.took = kTook;
  Block& block = one.blocks.emplace_back();
  block.workload = one.workload;
  const double noise = 0.01 * ((pair * 7 + (side == Side::base ? 0 : 3)) % 11);
  block.steps.push_back({0, false, 0.1 + noise, std::nullopt});
  return one;
}

/// A run whose budget ended between what its processes took and what the clock said.
TEST(StoredReport, IsReproducedIfTheBudgetEndedByTheClock) {
  const example::Folder folder;
  Plan plan = example::plan();
  plan.workloads.resize(1);
  plan.missing.clear();
  Policy policy = example::policy();
  policy.budget = 2 * kPairs * (kWall + kTook) / 2;
  Measurements history;
  for (int pair = 0; pair < kPairs; ++pair) {
    for (const Side side : {Side::base, Side::head}) {
      history.invocations.push_back(measured(plan, side, pair));
      history.measured += kTook;
    }
  }
  Report report = analyze(plan, history, policy, {});
  report.id = plan.run_id;
  Measurements by_processes = history;
  by_processes.measured = 2 * kPairs * kWall;
  ASSERT_FALSE(differences_from(report, analyze(plan, by_processes, policy, {})).empty())
      << "what ended the run decides here";

  Store store(folder / "results.db");
  store.begin_run(plan, policy, "0.1.0");
  for (const Invocation& invocation : history.invocations) {
    store.add(plan.run_id, invocation);
  }
  store.finish_run(report, history.budget_spent);
  EXPECT_EQ(store.load(plan.run_id).measured, history.measured);
  const Report again = analyze(store.load_plan(plan.run_id), store.load(plan.run_id),
                               store.load_policy(plan.run_id), {});
  EXPECT_TRUE(differences_from(store.load_report(plan.run_id).value(), again).empty());
}

}  // namespace
}  // namespace perf
