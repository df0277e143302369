// Early looks that rest on earlier runs of a store: dear pairs by a scripted runner.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <functional>
#include <random>
#include <string>

#include "analyzer/analyze.h"
#include "ci/cli/run/run.h"
#include "tests/schema/store/example.h"

namespace perf {
namespace {

const std::string kBase(40, 'b');
const std::string kHead(40, 'a');

using Change = std::function<void(Plan&)>;

/// Processes of 1.5 s, head's steps slower by a share; each side with a little noise.
class DearRunner : public Runner {
 public:
  Invocation run(const Workload&, const std::filesystem::path&, Invocation invocation) override {
    const double level = 0.3 * (invocation.side == Side::head ? 1 + slower : 1);
    Block block;
    block.params = stated;
    block.steps.push_back({0, false, level * std::exp(noise * normal_(engine_)), std::nullopt});
    invocation.blocks.push_back(std::move(block));
    invocation.process.wall = seconds;
    return invocation;
  }

  double slower = 0, noise = 0.001, seconds = 1.5;
  Params stated;

 private:
  std::mt19937_64 engine_{7};
  std::normal_distribution<double> normal_;
};

struct EarlierRuns : ::testing::Test {
  example::Folder folder;
  Options options;
  DearRunner runner;
  int runs = 0;

  /// A comparison of head, changed before it begins, into the store; its row.
  Comparison compare(const Change& change = [](Plan&) {}) {
    Context context{options, {}, std::nullopt, Store(folder / "results.db")};
    Policy policy;
    policy.metrics = {"step_time"};
    ProgressView progress(null_, ProgressView::Style::silent, policy.budget, 80);
    perf::Run run{context, {}, policy, &progress};
    run.runner = &runner;
    Plan& plan = run.planned.plan;
    plan.run_id = last_id = "run-" + std::to_string(++runs);
    plan.base = Revision{};
    plan.base->oid = kBase;
    plan.head.oid = kHead;
    plan.environment.fingerprint = "here";
    plan.seed = 6;
    plan.digest = "0123456789abcdef";
    plan.workloads.emplace_back().workload.name = "w";
    plan.workloads[0].workload.command = {"./w"};
    change(plan);
    recall_noise(context.store, run.policy, plan);
    const Report report = carry_out(run);
    store_report(run, report);
    return report.comparisons.at(0);
  }
  /// Five of them.
  void compare_often(const Change& change = [](Plan&) {}) {
    for (int i = 0; i < 5; ++i) {
      compare(change);
    }
  }

  /// Whether the plan of another run has their noise.
  bool count_for(const Change& change = [](Plan&) {}) {
    compare(change);
    return !Store(folder / "results.db").load_plan(last_id).workloads[0].earlier_noise.empty();
  }

  std::string last_id;

 private:
  std::FILE* null_ = std::fopen("/dev/null", "w");
};

TEST_F(EarlierRuns, DecideAtFourPairsInsteadOfSix) {
  for (int i = 0; i < 5; ++i) {
    runner.slower = 0.15 * (i % 2);  // what changed does not matter
    EXPECT_EQ(compare().pairs, 6);
  }
  runner.slower = 0.15;
  const Comparison slower = compare();
  EXPECT_EQ(slower.verdict, Verdict::regressed);
  EXPECT_EQ(slower.pairs, 4);
  ASSERT_EQ(slower.notes.size(), 1U);
  EXPECT_EQ(slower.notes[0].figures.at("earlier"), 30);
  runner.slower = 0;
  EXPECT_EQ(compare().verdict, Verdict::unchanged);
}

TEST_F(EarlierRuns, DecideTheSameOnceMoreAreStored) {
  compare_often();
  compare();
  const std::string id = last_id;
  runner.noise = 0.05;
  compare_often();
  const Store store(folder / "results.db");
  const Plan plan = store.load_plan(id);
  ASSERT_EQ(plan.workloads[0].earlier_noise.size(), 1U);
  EXPECT_EQ(plan.workloads[0].earlier_noise[0].pairs, 30);
  const Measurements measurements = store.load(id);
  const Report again = analyze(plan, measurements, store.load_policy(id), {});
  EXPECT_EQ(again.comparisons[0].verdict, Verdict::unchanged);
  EXPECT_EQ(again.comparisons[0].pairs, 4);
}

TEST_F(EarlierRuns, CountOnTheSameMachineAndOfTheSameWorkAlone) {
  compare_often();
  EXPECT_FALSE(count_for([](Plan& plan) { plan.environment.fingerprint = "there"; }));
  EXPECT_FALSE(count_for([](Plan& plan) { plan.size = "full"; }));
  EXPECT_FALSE(count_for([](Plan& plan) {
    plan.workloads[0].base_params = Params{{"n", std::int64_t{2}}};
  }));
  for (const auto& change :
       std::vector<void (*)(Workload&)>{[](Workload& one) { one.params["n"] = std::int64_t{2}; },
                                        [](Workload& one) { one.command = {"./v"}; },
                                        [](Workload& one) { one.outside = "0123456789abcdef"; },
                                        [](Workload& one) { one.env["A"] = "1"; }}) {
    EXPECT_FALSE(count_for([&change](Plan& plan) { change(plan.workloads[0].workload); }));
  }
  EXPECT_TRUE(count_for());
  runner.stated = {{"batch", std::int64_t{8}}};
  EXPECT_EQ(compare().pairs, 6) << "the program states other parameters";
}

TEST_F(EarlierRuns, CountAsFinishedComparisonsOfGoodDearPairsAlone) {
  compare_often();
  const auto set = [this](const std::string& change) {
    example::execute(folder / "results.db", "UPDATE " + change);
  };
  for (const auto& [one, back] : std::vector<std::pair<std::string, std::string>>{
           {"run SET purpose = 'selftest'", "run SET purpose = 'compare'"},
           {"run SET purpose = 'bisect'", "run SET purpose = 'compare'"},
           {"report SET interrupted = 1", "report SET interrupted = 0"},
           {"run_workload SET control_of = 'v'", "run_workload SET control_of = ''"},
           {"invocation SET failure = 'x' WHERE side = 'base'", "invocation SET failure = ''"},
           {"invocation SET layout_seed = 1", "invocation SET layout_seed = 0"},
           {"invocation SET wall = 0.3", "invocation SET wall = 1.5"}}) {
    set(one);
    EXPECT_FALSE(count_for()) << one;
    set(back);
  }
  EXPECT_TRUE(count_for());
}

TEST_F(EarlierRuns, AreNotedWhereTheirNoiseIsAnother) {
  compare_often();
  runner.noise = 0.02;
  const Comparison row = compare();
  EXPECT_GT(row.pairs, 4);
  ASSERT_FALSE(row.notes.empty());
  EXPECT_EQ(row.notes[0].kind, WarningKind::noise_unlike_history);
}

}  // namespace
}  // namespace perf
