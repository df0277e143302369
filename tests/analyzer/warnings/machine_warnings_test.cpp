#include <gtest/gtest.h>

#include "analyzer/warnings/row_warnings.h"
#include "reporter/text/sentences.h"
#include "tests/analyzer/samples/scripted_run.h"

namespace perf {
namespace {

using scripted::add_pairs;
using scripted::plan_of;

// Ten pairs of each workload, every process 1 s long.
Measurements ten_seconds_a_side(const std::vector<std::string>& workloads) {
  Measurements measurements;
  for (const std::string& name : workloads) {
    add_pairs(measurements, name, 10, 1.0);
  }
  for (Invocation& one : measurements.invocations) {
    one.process.wall = 1;
  }
  return measurements;
}

std::vector<Warning> warnings_of(const Plan& plan, const Measurements& measurements,
                                 std::size_t workload) {
  const Standing standing = standing_of(plan, measurements, Policy{});
  return machine_warnings(standing.workloads[workload].samples, Policy{});
}

TEST(MachineWarnings, StealIsAShareOfTheTime) {
  const Plan plan = plan_of({"a"});
  Measurements measurements = ten_seconds_a_side({"a"});
  for (Invocation& one : measurements.invocations) {
    one.process.steal = 0.03;
  }
  const std::vector<Warning> warnings = warnings_of(plan, measurements, 0);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].kind, WarningKind::steal);
  EXPECT_EQ(reporter::sentence(warnings[0]), "steal: the hypervisor took 3 % of the time away");
  EXPECT_NEAR(warnings[0].figures.at("share"), 0.03, 1e-12);
  EXPECT_NEAR(warnings[0].figures.at("seconds"), 0.6, 1e-12);
  EXPECT_EQ(warnings[0].figures.at("most"), 0.01);
}

TEST(MachineWarnings, BelowTheBoundsThereAreNone) {
  const Plan plan = plan_of({"a"});
  Measurements measurements = ten_seconds_a_side({"a"});
  for (Invocation& one : measurements.invocations) {
    one.process.steal = 0.0099;
    one.process.cpu_pressure = 0.1999;
  }
  EXPECT_TRUE(warnings_of(plan, measurements, 0).empty());
}

TEST(MachineWarnings, DoNotCountUnknownAsZero) {
  const Plan plan = plan_of({"a"});
  Measurements measurements = ten_seconds_a_side({"a"});
  EXPECT_TRUE(warnings_of(plan, measurements, 0).empty());
  // One process in ten tells, of a third of its time: that is the share, not a thirtieth.
  measurements.invocations[0].process.cpu_pressure = 0.33;
  measurements.invocations[10].process.cpu_pressure = 0.33;
  const std::vector<Warning> warnings = warnings_of(plan, measurements, 0);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(reporter::sentence(warnings[0]),
            "pressure: tasks waited for a processor 33 % of the time");
}

TEST(MachineWarnings, LimitSharesToAll) {
  const Plan plan = plan_of({"a"});
  Measurements measurements = ten_seconds_a_side({"a"});
  for (Invocation& one : measurements.invocations) {
    one.process.cpu_pressure = 1.3;
  }
  EXPECT_EQ(warnings_of(plan, measurements, 0).at(0).figures.at("share"), 1);
}

TEST(MachineWarnings, IgnoreOneTick) {
  const Plan plan = plan_of({"a"});
  Measurements measurements;
  add_pairs(measurements, "a", 1, 1.0);
  measurements.invocations[0].process.wall = 0.3;
  measurements.invocations[0].process.steal = 0.01;  // 3 %, but one tick of the kernel's clock
  EXPECT_TRUE(warnings_of(plan, measurements, 0).empty());
}

TEST(MachineWarnings, MergeWidespreadTrouble) {
  const std::vector<std::string> names{"a", "b", "c", "d"};
  const Plan plan = plan_of(names);
  Measurements measurements = ten_seconds_a_side(names);
  const auto steal_from = [&](const std::string& name) {
    for (Invocation& one : measurements.invocations) {
      if (one.workload == name) {
        one.process.steal = 0.08;
      } else if (!one.process.steal) {
        one.process.steal = 0;
      }
    }
  };
  steal_from("a");
  EXPECT_TRUE(machine_warnings(standing_of(plan, measurements, Policy{}), Policy{}).empty());
  steal_from("b");
  const std::vector<Warning> warnings =
      machine_warnings(standing_of(plan, measurements, Policy{}), Policy{});
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(reporter::sentence(warnings[0]),
            "steal: the hypervisor took 4 % of the time away, in 2 of 4 workloads");
  EXPECT_EQ(warnings[0].figures.at("workloads"), 2);
}

}  // namespace
}  // namespace perf
