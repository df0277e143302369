#include <gtest/gtest.h>

#include "collector/plan/plan.h"

namespace perf {
namespace {

PlannedWorkload planned(const std::string& name) {
  PlannedWorkload one;
  one.workload.name = name;
  one.workload.command = {"bench", name};
  one.workload.params = {{"layers", std::int64_t{4}}};
  return one;
}

TEST(ControlArms, FollowTheWorkloads) {
  Plan plan;
  plan.base = Revision{};
  plan.workloads = {planned("a"), planned("b/c")};
  add_control_arms(plan);
  ASSERT_EQ(plan.workloads.size(), 4U);
  EXPECT_EQ(plan.workloads[1].control_of, "");
  EXPECT_EQ(plan.workloads[2].workload.name, "a/control");
  EXPECT_EQ(plan.workloads[2].control_of, "a");
  EXPECT_EQ(plan.workloads[3].workload.name, "b/c/control");
  EXPECT_EQ(plan.workloads[3].workload.command, plan.workloads[1].workload.command);
}

// Both sides run base's setting, where base and head have different ones.
TEST(ControlArms, RunBaseAgainstItself) {
  Plan plan;
  plan.base = Revision{};
  plan.workloads = {planned("a")};
  plan.workloads[0].base_params = Params{{"layers", std::int64_t{1}}};
  add_control_arms(plan);
  for (const Side side : {Side::base, Side::head}) {
    EXPECT_EQ(workload_at(plan.workloads[1], side).params, *plan.workloads[0].base_params);
  }
}

TEST(ControlArms, GetUnusedNames) {
  Plan plan;
  plan.base = Revision{};
  plan.workloads = {planned("a"), planned("a/control"), planned("a/control-2")};
  add_control_arms(plan);
  EXPECT_EQ(plan.workloads[3].workload.name, "a/control-3");
  EXPECT_EQ(plan.workloads[4].workload.name, "a/control/control");
}

TEST(ControlArms, NeedABase) {
  Plan plan;
  plan.workloads = {planned("a")};
  add_control_arms(plan);
  EXPECT_EQ(plan.workloads.size(), 1U);
}

}  // namespace
}  // namespace perf
