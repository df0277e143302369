#include "analyzer/rows/target_results.h"

#include <gtest/gtest.h>

#include "tests/analyzer/samples/scripted_run.h"

namespace perf {
namespace {

class Targets : public ::testing::Test {
 protected:
  Plan plan = scripted::plan_of({"slow", "fast", "broken"});
  History history;
  Target target;

  Targets() {
    scripted::add_pair(history, "slow", 0, 9, 4);
    scripted::add_pair(history, "fast", 0, 9, 2);
    plan.workloads[2].head_failed = "did not build";
    target.name = "pays";
    target.of = "slow";
  }
  TargetResult evaluate() const {
    return target_results({target}, standing_of(plan, history, Policy{}), "ci").front();
  }
};

TEST_F(Targets, CompareHeadsMedian) {
  target.at_most = 4.5;
  EXPECT_DOUBLE_EQ(*evaluate().value, 4);
  EXPECT_EQ(evaluate().met, true);
  target.at_most = 3.9;
  EXPECT_EQ(evaluate().met, false);
}

TEST_F(Targets, CompareRatios) {
  target.over = "fast";
  target.at_least = 2.0;
  EXPECT_DOUBLE_EQ(*evaluate().value, 2);
  EXPECT_EQ(evaluate().met, true);
  target.at_least = 2.1;
  EXPECT_EQ(evaluate().met, false);
}

TEST_F(Targets, SpeakOfOtherMetrics) {
  target.metric = "peak_rss";
  target.at_most = 2e6;
  EXPECT_EQ(evaluate().value, 1e6);
}

TEST_F(Targets, AreNullWhereNothingWasMeasured) {
  target.at_most = 100;
  for (const char* name : {"broken", "unknown"}) {
    target.of = name;
    EXPECT_EQ(evaluate().value, std::nullopt) << name;
    EXPECT_EQ(evaluate().met, std::nullopt) << name;
  }
  target.of = "slow";
  target.over = "broken";
  EXPECT_EQ(evaluate().met, std::nullopt);
  target.over.clear();
  target.metric = "unheard_of";
  EXPECT_EQ(evaluate().met, std::nullopt);
}

TEST_F(Targets, WithSettingsTakeTheSideThatRanWithThem) {
  plan.workloads[0].workload.params = {{"backend", std::string("new")}};
  plan.workloads[0].base_params = Params{{"backend", std::string("old")}};
  target.of_set = {{"backend", std::string("new")}};
  target.at_most = 100;
  EXPECT_EQ(evaluate().value, 4);
  target.of_set = {{"backend", std::string("old")}};
  EXPECT_EQ(evaluate().value, 9);
  target.over = "slow";
  target.over_set = {{"backend", std::string("new")}};
  EXPECT_DOUBLE_EQ(*evaluate().value, 9.0 / 4);
  EXPECT_EQ(evaluate().met, true);
  target.over_set = {{"backend", std::string("other")}};
  EXPECT_EQ(evaluate().value, std::nullopt);
  EXPECT_EQ(evaluate().met, std::nullopt);
}

TEST_F(Targets, BetweenSettingsAreNullWhereTheWorkDiffersBeyondThem) {
  const Param native = std::string("native"), torch = std::string("torch"),
              bf16 = std::string("bf16"), fp32 = std::string("fp32");
  const auto say = [&](const Param& base, const Param& head) {
    for (Invocation& one : history.invocations) {
      const bool is_base = one.side == Side::base;
      one.blocks[0].params = {{"implementation", is_base ? torch : native},
                              {"dtype", is_base ? base : head}};
    }
  };
  // A precision that is set at base only: head takes its own.
  plan.workloads[0].workload.params = {{"implementation", native}};
  plan.workloads[0].base_params = Params{{"implementation", torch}, {"dtype", bf16}};
  target.over = "slow";
  target.of_set = {{"implementation", torch}};
  target.over_set = {{"implementation", native}};
  target.at_least = 1.0;
  say(bf16, fp32);
  EXPECT_EQ(evaluate().value, std::nullopt);
  EXPECT_EQ(evaluate().met, std::nullopt);
  say(bf16, bf16);  // it was head's own as well
  EXPECT_EQ(evaluate().value, 9.0 / 4);
  say(bf16, fp32);
  target.of_set.insert({"dtype", bf16});  // a target of both
  target.over_set.insert({"dtype", fp32});
  EXPECT_EQ(evaluate().value, 9.0 / 4);
  plan.workloads[0].base_params->insert({"seq-len", std::int64_t{64}});
  EXPECT_EQ(evaluate().value, std::nullopt);
}

TEST_F(Targets, WithSettingsAreFoundInAVariedWorkload) {
  plan.workloads[0].workload.name = "w/threads-2";
  plan.workloads[0].workload.params = {{"threads", std::int64_t{2}}};
  plan.workloads[0].base_params = Params{{"threads", std::int64_t{1}}};
  plan.workloads[1].workload.name = "w/threads-4";
  plan.workloads[1].workload.params = {{"threads", std::int64_t{4}}};
  plan.workloads[1].base_params = Params{{"threads", std::int64_t{1}}};
  for (Invocation& one : history.invocations) {
    one.workload = one.workload == "slow" ? "w/threads-2" : "w/threads-4";
  }
  target.of = target.over = "w";
  target.of_set = {{"threads", std::int64_t{1}}};
  target.over_set = {{"threads", std::int64_t{4}}};
  target.at_least = 1.8;
  EXPECT_DOUBLE_EQ(*evaluate().value, 4.5);  // 9 and 2 of the same pairs
  target.over_set = {{"threads", std::int64_t{2}}};
  EXPECT_DOUBLE_EQ(*evaluate().value, 9.0 / 4);
  target.of = "w/threads";  // no workload of the config
  EXPECT_EQ(evaluate().value, std::nullopt);
}

TEST_F(Targets, OfTheWorkloadAsConfiguredAreNullWhereSettingsAreCompared) {
  target.at_most = 100;
  EXPECT_EQ(evaluate().met, true);
  plan.workloads[0].base_params = Params{{"backend", std::string("old")}};
  EXPECT_EQ(evaluate().met, std::nullopt);
  EXPECT_TRUE(target_warnings({target}, standing_of(plan, history, Policy{}), "ci").empty());
}

TEST_F(Targets, OfAnotherSizeAreNull) {
  target.at_most = 100;
  target.size = "full";
  EXPECT_EQ(evaluate().met, std::nullopt);
  target.size = "ci";
  EXPECT_EQ(evaluate().met, true);
}

}  // namespace
}  // namespace perf
