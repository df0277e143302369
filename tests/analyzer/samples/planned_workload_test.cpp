#include "analyzer/samples/planned_workload.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace perf {
namespace {

std::optional<std::size_t> find(const std::string& row, const std::vector<std::string>& names) {
  Plan plan;
  for (const std::string& name : names) {
    plan.workloads.emplace_back();
    plan.workloads.back().workload.name = name;
  }
  Comparison comparison;
  comparison.workload = row;
  return workload_of(comparison, plan);
}

TEST(PlannedWorkload, IsTheOneOfThatName) {
  EXPECT_EQ(find("w", {"v", "w"}), 1u);
  EXPECT_EQ(find("wide", {"w"}), std::nullopt);
  EXPECT_EQ(find("w", {}), std::nullopt);
}

TEST(PlannedWorkload, IsTheLongestNameInWhateverOrder) {
  EXPECT_EQ(find("w/child", {"w", "w/inner"}), 0u);
  EXPECT_EQ(find("w/inner", {"w", "w/inner"}), 1u);
  EXPECT_EQ(find("w/inner/child", {"w", "w/inner"}), 1u);
  EXPECT_EQ(find("w/inner/child", {"w/inner", "w"}), 0u) << "the later is the shorter one";
}

TEST(PlannedWorkload, IsNoControlArm) {
  Plan plan;
  plan.workloads.resize(2);
  plan.workloads[0].workload.name = plan.workloads[1].workload.name = "w";
  plan.workloads[0].control_of = "w";
  Comparison row;
  row.workload = "w";
  EXPECT_EQ(workload_of(row, plan), 1u);
}

}  // namespace
}  // namespace perf
