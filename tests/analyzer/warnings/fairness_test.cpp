#include <gtest/gtest.h>

#include "analyzer/analyze.h"
#include "analyzer/next.h"
#include "analyzer/warnings/row_warnings.h"
#include "reporter/text/sentences.h"
#include "tests/analyzer/samples/scripted_run.h"
#include "tests/contains.h"

namespace perf {
namespace {

Params params(const std::string& backend, std::int64_t layers) {
  return {{"backend", backend}, {"layers", layers}};
}

class Fairness : public ::testing::Test {
 protected:
  Plan plan = scripted::plan_of({"w"});
  Measurements measurements;

  Fairness() {
    plan.workloads[0].base_params = params("eigen", 4);
    plan.workloads[0].workload.params = params("openblas", 4);
    scripted::add_pairs(measurements, "w", 24, 1.0);
    say(Side::base, params("eigen", 4));
    say(Side::head, params("openblas", 4));
  }
  void say(Side side, const Params& said, const std::map<std::string, std::string>& facts = {}) {
    for (Invocation& one : measurements.invocations) {
      if (one.side == side) {
        one.blocks[0].params = said;
        one.blocks[0].facts = facts;
      }
    }
  }
  Comparison time_row() {
    for (const Comparison& row : analyze(plan, measurements, Policy{}, {}).comparisons) {
      if (row.metric == kStepTime) {
        return row;
      }
    }
    return {};
  }
  std::string warning(WarningKind kind) {
    for (const Warning& one : time_row().warnings) {
      if (one.kind == kind) {
        return reporter::sentence(one);
      }
    }
    return {};
  }
};

TEST_F(Fairness, DoesNotWarnOfASetDifference) {
  const Comparison row = time_row();
  EXPECT_TRUE(row.warnings.empty()) << reporter::sentence(row.warnings.front());
  EXPECT_EQ(row.params, params("openblas", 4));
  EXPECT_EQ(row.base_params, params("eigen", 4));
}

TEST_F(Fairness, WarnsOfAParameterThatDiffersWithoutBeingSet) {
  say(Side::base, params("eigen", 2));
  EXPECT_EQ(warning(WarningKind::unlike_settings),
            "different settings: layers is 2 at base, 4 at head");
}

TEST_F(Fairness, OtherWorkIsNotJudged) {
  say(Side::base, params("eigen", 2));
  const Comparison row = time_row();
  EXPECT_EQ(row.verdict, Verdict::incomparable);
  EXPECT_FALSE(row.change || row.interval);
  EXPECT_EQ(warning(WarningKind::not_same_work),
            "different work on both sides: layers is 2 at base, 4 at head");
  Measurements first = measurements;
  first.invocations.resize(2);
  EXPECT_FALSE(next(plan, first, Policy{})) << "no pair can decide it";
}

TEST_F(Fairness, CountsPrecisionAndTokensAsWork) {
  say(Side::base, params("eigen", 4), {{"dtype", "fp32"}});
  say(Side::head, params("openblas", 4), {{"dtype", "bf16"}});
  EXPECT_EQ(warning(WarningKind::not_same_work),
            "different work on both sides: dtype is fp32 at base, bf16 at head");
  EXPECT_EQ(warning(WarningKind::unlike_settings),
            "different settings: dtype is fp32 at base, bf16 at head");
  say(Side::base, params("eigen", 4), {{"weights", "fp32"}});
  say(Side::head, params("openblas", 4), {{"weights", "int8"}});
  EXPECT_EQ(warning(WarningKind::not_same_work),
            "different work on both sides: weights is fp32 at base, int8 at head");
  say(Side::base, params("eigen", 4));
  say(Side::head, params("openblas", 4));
  for (Invocation& one : measurements.invocations) {
    one.blocks[0].tokens_per_step = one.side == Side::base ? 512 : 1024;
  }
  EXPECT_EQ(warning(WarningKind::not_same_work),
            "different work on both sides: tokens_per_step is 512 at base, 1024 at head");
}

TEST_F(Fairness, AllowsASettingToChangeTheWork) {
  plan.workloads[0].base_params = Params{{"model", std::string("tiny")}};
  plan.workloads[0].workload.params = {{"model", std::string("large")}};
  say(Side::base, {{"model", std::string("tiny")}, {"layers", std::int64_t{2}}});
  say(Side::head, {{"model", std::string("large")}, {"layers", std::int64_t{4}}});
  EXPECT_EQ(time_row().verdict, Verdict::unchanged);
  EXPECT_EQ(warning(WarningKind::unlike_settings),
            "different settings: layers is 2 at base, 4 at head");
}

TEST_F(Fairness, CommitThatChangesItsWorkIsJudged) {
  plan.workloads[0].base_params.reset();
  plan.workloads[0].workload.params = params("openblas", 4);
  say(Side::base, params("openblas", 2), {{"dtype", "fp32"}, {"threads", "2"}});
  say(Side::head, params("openblas", 4), {{"dtype", "bf16"}, {"threads", "1"}});
  EXPECT_EQ(time_row().verdict, Verdict::unchanged);
  EXPECT_EQ(warning(WarningKind::unlike_params),
            "not all invocations ran with the same parameters: layers is 2 at base, 4 at head");
  EXPECT_EQ(warning(WarningKind::unlike_environments),
            "different environments: dtype is fp32 at base, bf16 at head");
}

TEST_F(Fairness, ImplementationBringsItsOwnFactsButNotItsThreads) {
  plan.workloads[0].base_params = Params{{"implementation", std::string("torch")}};
  plan.workloads[0].workload.params = {{"implementation", std::string("native")}};
  const auto facts = [](const std::string& compiler, const std::string& threads) {
    return std::map<std::string, std::string>{{"compiler", compiler}, {"threads", threads}};
  };
  say(Side::base, params("onednn", 4), facts("GCC 11", "1"));
  say(Side::head, params("openblas", 4), facts("GCC 12", "2"));
  const Comparison row = time_row();
  EXPECT_EQ(row.verdict, Verdict::unchanged) << "threads are warned of";
  EXPECT_EQ(warning(WarningKind::unlike_settings),
            "different settings: threads is 1 at base, 2 at head");
  EXPECT_EQ(reporter::sentences(row.notes),
            (std::vector<std::string>{"backend is onednn at base, openblas at head",
                                      "compiler is GCC 11 at base, GCC 12 at head"}));
  EXPECT_EQ(
      std::count_if(row.warnings.begin(), row.warnings.end(),
                    [](const Warning& one) { return one.kind == WarningKind::unlike_settings; }),
      1);
}

TEST_F(Fairness, WarnsOfFactsThatDifferWithoutBeingSet) {
  say(Side::base, params("eigen", 4), {{"blas_core", "none"}, {"threads", "1"}, {"flags", "-O2"}});
  say(Side::head, params("openblas", 4),
      {{"blas_core", "Zen"}, {"threads", "2"}, {"flags", "-O2"}});
  EXPECT_EQ(warning(WarningKind::unlike_settings),
            "different settings: threads is 1 at base, 2 at head");
  EXPECT_EQ(reporter::sentences(time_row().notes),
            (std::vector<std::string>{"backend is eigen at base, openblas at head",
                                      "blas_core is none at base, Zen at head"}));
}

TEST_F(Fairness, WarnsOfASettingThatNoSideTook) {
  say(Side::base, params("openblas", 4));
  EXPECT_EQ(warning(WarningKind::setting_not_taken),
            "setting ignored: both sides ran with backend openblas");
  say(Side::base, {{"layers", std::int64_t{4}}});
  say(Side::head, {{"layers", std::int64_t{4}}});
  EXPECT_TRUE(
      contains(warning(WarningKind::setting_not_taken), "backend is not among the parameters"));
}

TEST_F(Fairness, DoesNotWarnOfMissingFacts) {
  say(Side::base, {});
  say(Side::head, {});
  EXPECT_TRUE(time_row().warnings.empty());
}

TEST_F(Fairness, NotesTheValueThatAProgramUsedInstead) {
  plan.workloads[0].base_params = Params{{"threads", std::int64_t{0}}};
  plan.workloads[0].workload.params = {{"threads", std::int64_t{1}}};
  say(Side::base, {{"threads", std::int64_t{2}}});
  say(Side::head, {{"threads", 1.0}});
  const Comparison row = time_row();
  EXPECT_TRUE(row.warnings.empty());
  EXPECT_EQ(reporter::sentence(row.notes.at(0)), "threads was set to 0 at base, which ran with 2");
}

TEST_F(Fairness, NotesBothValuesOfASetting) {
  plan.workloads[0].base_params = Params{{"dtype", std::string("bf16")}};
  plan.workloads[0].workload.params = {};
  say(Side::base, {{"dtype", std::string("bf16")}}, {{"dtype", "bf16"}});
  say(Side::head, {{"dtype", std::string("fp32")}}, {{"dtype", "fp32"}});
  const Comparison row = time_row();
  EXPECT_EQ(row.verdict, Verdict::unchanged) << "meant so: told, not refused";
  EXPECT_TRUE(row.warnings.empty());
  EXPECT_EQ(reporter::sentences(row.notes),
            std::vector<std::string>{"dtype is bf16 at base, fp32 at head"});
}

TEST_F(Fairness, WarnsOfAStepOfOtherTokens) {
  plan.workloads[0].base_params = Params{{"seq-len", std::int64_t{128}}};
  plan.workloads[0].workload.params = {{"seq-len", std::int64_t{64}}};
  say(Side::base, {{"seq-len", std::int64_t{128}}});
  say(Side::head, {{"seq-len", std::int64_t{64}}});
  for (Invocation& one : measurements.invocations) {
    one.blocks[0].tokens_per_step = one.side == Side::base ? 128 : 64;
  }
  EXPECT_EQ(time_row().verdict, Verdict::unchanged);
  EXPECT_EQ(warning(WarningKind::unlike_settings),
            "different settings: tokens_per_step is 128 at base, 64 at head");
}

TEST_F(Fairness, WarnsOfASideThatChangesItsParameters) {
  measurements.invocations.back().blocks[0].params = params("openblas", 5);
  EXPECT_NE(warning(WarningKind::unlike_params), "");
}

}  // namespace
}  // namespace perf
