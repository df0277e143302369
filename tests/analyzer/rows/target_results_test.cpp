#include "analyzer/rows/target_results.h"

#include <gtest/gtest.h>

#include "reporter/text/sentences.h"
#include "tests/analyzer/samples/scripted_run.h"

namespace perf {
namespace {

class Targets : public ::testing::Test {
 protected:
  Plan plan = scripted::plan_of({"slow", "fast", "broken"});
  Measurements measurements;
  Target target;

  Targets() {
    scripted::add_pair(measurements, "slow", 0, 9, 4);
    scripted::add_pair(measurements, "fast", 0, 9, 2);
    plan.workloads[2].head_failed = "did not build";
    target.name = "pays";
    target.of = "slow";
  }
  TargetResult evaluate() const {
    return target_results({target}, standing_of(plan, measurements, Policy{}), "ci").front();
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

TEST_F(Targets, AcceptOtherMetrics) {
  target.metric = "peak_rss";
  target.at_most = 2e6;
  EXPECT_EQ(evaluate().value, 1e6);
}

class TargetsOfFacts : public Targets {
 protected:
  TargetsOfFacts() {
    target.at_most = 100;
    target.when = {{"isa", "avx512"}};
  }
  /// At base everything is as wanted: only head matters.
  void report(const std::string& workload, const std::string& isa) {
    for (Invocation& one : measurements.invocations) {
      for (Block& block : one.blocks) {
        const bool is_head = one.side == Side::head;
        if (one.workload == workload) {
          block.facts["isa"] = is_head ? isa : "avx512";
        }
      }
    }
  }
};

TEST_F(TargetsOfFacts, HoldWhereTheyAreReported) {
  report("slow", "avx512");
  EXPECT_EQ(evaluate().met, true);
  EXPECT_TRUE(evaluate().found.empty());
  target.at_most = 1;
  EXPECT_EQ(evaluate().met, false);
}

TEST_F(TargetsOfFacts, AreNeitherMetNorMissedWhereOthersAre) {
  report("slow", "avx2");
  target.at_most = 1;
  EXPECT_EQ(evaluate().met, std::nullopt);
  EXPECT_EQ(evaluate().value, std::nullopt);
  EXPECT_EQ(evaluate().found, (std::map<std::string, std::string>{{"isa", "avx2"}}));
  target.when["threads"] = "2";
  report("slow", "avx512");
  EXPECT_EQ(evaluate().met, std::nullopt) << "nobody reports threads";
  EXPECT_TRUE(evaluate().found.empty());
}

// Misspelt in the config: else a target would never hold, and nobody be told.
TEST_F(TargetsOfFacts, WarnOfUnreportedFacts) {
  const auto warnings = [&] {
    return target_warnings({target}, standing_of(plan, measurements, Policy{}), "ci");
  };
  report("slow", "avx512");
  EXPECT_TRUE(warnings().empty());
  report("slow", "avx2");
  EXPECT_TRUE(warnings().empty()) << "reported, and otherwise";
  target.when = {{"iss", "avx512"}};
  EXPECT_EQ(warnings(),
            (std::vector<Warning>{
                {WarningKind::target_without_fact,
                 {},
                 {{"target", target.name}, {"workload", target.of}, {"fact", "iss"}}}}));
  EXPECT_EQ(reporter::sentence(warnings()[0]),
            "target '" + target.name + "': workload 'slow' reports no 'iss'");
  target.over = "broken";
  EXPECT_TRUE(warnings().empty()) << "no value anyway";
  target.over.clear();
  target.size = "full";
  EXPECT_TRUE(warnings().empty()) << "of another size";
}

TEST_F(TargetsOfFacts, AskBothWorkloadsOfARatio) {
  target.over = "fast";
  report("slow", "avx512");
  EXPECT_EQ(evaluate().met, true) << "fast reports none, as a peer may";
  report("fast", "avx2");
  EXPECT_EQ(evaluate().met, std::nullopt);
  EXPECT_EQ(evaluate().found.at("isa"), "avx2");
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
    for (Invocation& one : measurements.invocations) {
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
  for (Invocation& one : measurements.invocations) {
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
  EXPECT_TRUE(target_warnings({target}, standing_of(plan, measurements, Policy{}), "ci").empty());
}

TEST_F(Targets, OfAnotherSizeAreNull) {
  target.at_most = 100;
  target.size = "full";
  EXPECT_EQ(evaluate().met, std::nullopt);
  target.size = "ci";
  EXPECT_EQ(evaluate().met, true);
}

/// Targets of workloads that run the same program: see known_targets.
class ToldBefore : public Targets {
 protected:
  EarlierTargets before;
  std::vector<TargetResult> known() const { return known_targets({target}, plan, {before}); }

  ToldBefore() {
    plan.workloads[0].trace_record = TraceRecord{"p", "p", "", false};
    plan.workloads[1].trace_record = TraceRecord{"q", "q", "", false};
    before.plan = plan;
    before.plan.head.oid = plan.base->oid;
    before.plan.base->oid = std::string(40, 'c');
    before.generated_at = "2026-01-02T03:04:05Z";
    target.over = "fast";
    target.at_least = 2.5;
    before.targets = {{target, 2.0, false}};
  }
};

TEST_F(ToldBefore, AreToldWithTheirDateAgainstTodaysBounds) {
  target.at_least = 1.5;
  ASSERT_EQ(known().size(), 1U);
  EXPECT_EQ(known()[0].value, 2.0);
  EXPECT_EQ(known()[0].met, true);
  EXPECT_EQ(known()[0].measured_at, "2026-01-02T03:04:05Z");
  EXPECT_TRUE(workloads_for_targets(plan, {target}, known()).empty());
  before.targets[0].measured_at = "2026-01-01T00:00:00Z";
  EXPECT_EQ(known()[0].measured_at, "2026-01-01T00:00:00Z") << "told then, too";
}

TEST_F(ToldBefore, WereFoundNotToHoldHere) {
  target.when = {{"isa", "avx512"}};
  before.targets = {{target, {}, {}}};
  EXPECT_TRUE(known().empty()) << "nothing was measured";
  before.targets[0].found = {{"isa", "avx2"}};
  ASSERT_EQ(known().size(), 1U);
  EXPECT_EQ(known()[0].met, std::nullopt);
  EXPECT_EQ(known()[0].found.at("isa"), "avx2");
  EXPECT_TRUE(workloads_for_targets(plan, {target}, known()).empty()) << "no need to measure it";
}

TEST_F(ToldBefore, AreOfTheNewestThatHasAValue) {
  EarlierTargets newer = before;
  newer.targets[0].value.reset();
  EXPECT_EQ(known_targets({target}, plan, {newer, before}).at(0).value, 2.0);
}

TEST_F(ToldBefore, AreOfWhatHeadWasThere) {
  std::swap(before.plan.head.oid, before.plan.base->oid);
  EXPECT_EQ(known().size(), 1U) << "base ran the same program as head";
  before.plan.workloads[0].trace_record->needed_by_target = true;
  EXPECT_EQ(known().size(), 1U);
  before.plan.workloads[0].trace_record->difference = "bin/x: .text";
  EXPECT_TRUE(known().empty()) << "what was told is of another program";
  EXPECT_EQ(workloads_for_targets(plan, {target}, {}), (std::set<std::size_t>{0, 1}));
}

TEST_F(ToldBefore, AreOfTheSameWorkloadsAndQuestion) {
  before.plan.workloads[1].workload.params = {{"n", std::int64_t{9}}};
  EXPECT_TRUE(known().empty());
  before.plan = plan;
  before.plan.head.oid = plan.base->oid;
  before.targets[0].target.metric = "peak_rss";
  EXPECT_TRUE(known().empty());
}

TEST_F(ToldBefore, AreMeasuredWhereOneOfTheirWorkloadsIs) {
  plan.workloads[1].trace_record->difference = "bin/x: .text";
  EXPECT_TRUE(known().empty());
  EXPECT_EQ(workloads_for_targets(plan, {target}, {}), std::set<std::size_t>{0});
  plan.workloads[1].trace_record.reset();
  EXPECT_EQ(workloads_for_targets(plan, {target}, {}), std::set<std::size_t>{0});
  target.over = "not planned";
  EXPECT_TRUE(workloads_for_targets(plan, {target}, {}).empty());
  target.size = "full";
  EXPECT_TRUE(workloads_for_targets(plan, {target}, {}).empty());
}

}  // namespace
}  // namespace perf
