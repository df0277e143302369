#include <gtest/gtest.h>

#include "collector/plan/plan.h"
#include "reporter/text/sentences.h"
#include "schema/error.h"
#include "schema/workload_name.h"

namespace perf {
namespace {

Plan plan_of(const std::vector<std::string>& names) {
  Plan plan;
  for (const std::string& name : names) {
    PlannedWorkload planned;
    planned.workload.name = name;
    planned.workload.params = {{"backend", std::string("openblas")}, {"layers", std::int64_t{4}}};
    plan.workloads.push_back(planned);
  }
  return plan;
}

Param text(const std::string& value) {
  return Param{value};
}

TEST(Variants, ChangeNothingWithoutSettings) {
  Plan plan = plan_of({"a"});
  apply_settings({}, plan);
  EXPECT_FALSE(plan.workloads[0].base_params);
  EXPECT_TRUE(plan.warnings.empty());
}

TEST(Variants, OverrideEachSidesParameters) {
  Plan plan = plan_of({"a", "b"});
  Settings settings;
  settings.base = {{"backend", text("eigen")}};
  settings.head = {{"layers", std::int64_t{8}}};
  apply_settings(settings, plan);
  ASSERT_EQ(plan.workloads.size(), 2u);
  for (const PlannedWorkload& planned : plan.workloads) {
    const Params base{{"backend", text("eigen")}, {"layers", std::int64_t{4}}};
    const Params head{{"backend", text("openblas")}, {"layers", std::int64_t{8}}};
    EXPECT_EQ(planned.base_params, base);
    EXPECT_EQ(planned.workload.params, head);
    EXPECT_EQ(workload_at(planned, Side::base).params, base);
  }
  EXPECT_TRUE(plan.warnings.empty());
}

TEST(Variants, PassOnAKeyThatTheConfigDoesNotMention) {
  Plan plan = plan_of({"a"});
  Settings settings;
  settings.head = {{"threads", std::int64_t{2}}};
  apply_settings(settings, plan);
  EXPECT_EQ(plan.workloads[0].workload.params.at("threads"), Param{std::int64_t{2}});
  EXPECT_EQ(plan.workloads[0].base_params->count("threads"), 0u);
  ASSERT_EQ(plan.warnings.size(), 1u);
  EXPECT_NE(reporter::sentence(plan.warnings[0]).find("'threads'"), std::string::npos);
}

TEST(Variants, VaryOneParameterAgainstItsFirstValue) {
  Plan plan = plan_of({"a", "b/c"});
  Settings settings;
  settings.head = settings.base = {{"layers", std::int64_t{1}}};
  settings.vary = VariedParam{"backend", {text("x"), text("y"), text("z")}};
  apply_settings(settings, plan);
  std::vector<std::string> names;
  for (const PlannedWorkload& planned : plan.workloads) {
    names.push_back(planned.workload.name);
    EXPECT_EQ(planned.base_params->at("backend"), text("x"));
    EXPECT_EQ(planned.base_params->at("layers"), Param{std::int64_t{1}});
    EXPECT_EQ(planned.workload.params.at("layers"), Param{std::int64_t{1}});
  }
  EXPECT_EQ(names, (std::vector<std::string>{"a/backend-y", "a/backend-z", "b/c/backend-y",
                                             "b/c/backend-z"}));
  EXPECT_EQ(plan.workloads[3].workload.params.at("backend"), text("z"));
}

TEST(Variants, HaveValidWorkloadNames) {
  for (const std::string value :
       {"", "a b", "..", "../../etc", "-1", "é", ".", "a/b", "a..b...c"}) {
    EXPECT_EQ(fault_in_workload_name(variant_name("w", "k", text(value))), "") << value;
  }
  EXPECT_EQ(variant_name("w", "k", text("a/b c")), "w/k-a_b_c");
  EXPECT_EQ(variant_name("w", "k", Param{0.5}), "w/k-0.5");
}

TEST(Variants, HaveDistinctNames) {
  Plan plan = plan_of({"w"});
  Settings settings;
  settings.vary = VariedParam{"k", {text("a"), text("b c"), text("b_c")}};
  apply_settings(settings, plan);
  EXPECT_EQ(plan.workloads[0].workload.name, "w/k-b_c");
  EXPECT_EQ(plan.workloads[1].workload.name, "w/k-b_c-2");
}

TEST(Variants, RefuseInvalidSettings) {
  const auto refused = [](const Settings& settings) {
    Plan plan = plan_of({"w"});
    EXPECT_THROW(apply_settings(settings, plan), UsageError);
  };
  Settings settings;
  settings.base = {{"a b", text("x")}};
  refused(settings);
  settings.base = {{"-C", text("x")}};
  refused(settings);
  settings.base = {};
  settings.head = {{"a/b", text("x")}};
  refused(settings);
  settings.head = {{"k", text("x")}};
  settings.vary = VariedParam{"k", {text("a"), text("b")}};
  refused(settings);
  settings.head = {};
  settings.vary = VariedParam{"k", {text("a")}};
  refused(settings);
  settings.vary = VariedParam{"k", {text("a"), text("b"), text("a")}};
  refused(settings);
  settings.vary = VariedParam{"k", {text("a"), text(std::string(300, 'b'))}};
  refused(settings);
}

}  // namespace
}  // namespace perf
