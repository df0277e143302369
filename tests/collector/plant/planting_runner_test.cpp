#include "collector/plant/planting_runner.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

namespace perf {
namespace {

using Variables = std::map<std::string, std::string>;

Plant plant_of(PlantWay way, double amount, double period = 0) {
  Plant plant;
  plant.workload = "w";
  plant.kind = way == PlantWay::preload ? PlantKind::allocation : PlantKind::slowdown;
  plant.way = way;
  plant.amount = amount;
  plant.period = period;
  return plant;
}

struct PlantingRunnerTest : ::testing::Test {
  PlantingRunnerTest() { unsetenv("LD_PRELOAD"); }

  /// What the process would have been started with.
  ProcessRequest request_of(const std::vector<Plant>& plants, const std::string& workload,
                            Side side) {
    ProcessRequest seen;
    PlantingRunner runner(
        [&](const ProcessRequest& request) {
          seen = request;
          return ProcessResult{};
        },
        plants, "/lib/plant.so");
    Workload one;
    one.name = workload;
    one.command = {"bench"};
    Invocation invocation;
    invocation.workload = workload;
    invocation.side = side;
    runner.run(one, "/", invocation);
    return seen;
  }

  static Variables variables_of(const ProcessRequest& request) {
    return {request.environment.begin(), request.environment.end()};
  }
};

TEST_F(PlantingRunnerTest, StopsHeadAndNotBase) {
  const std::vector<Plant> plants{plant_of(PlantWay::stop_and_go, 0.15, 0.005)};
  const ProcessRequest head = request_of(plants, "w", Side::head);
  EXPECT_EQ(head.stop_and_go.share, 0.15);
  EXPECT_EQ(head.stop_and_go.period, 0.005);
  EXPECT_EQ(variables_of(head).count("LD_PRELOAD"), 0U);
  EXPECT_FALSE(request_of(plants, "w", Side::base).stop_and_go.wanted());
  EXPECT_FALSE(request_of(plants, "other", Side::head).stop_and_go.wanted());
}

TEST_F(PlantingRunnerTest, PreloadsBothSidesAndPlantsAtHead) {
  const std::vector<Plant> plants{plant_of(PlantWay::preload, 1234567)};
  const Variables head = variables_of(request_of(plants, "w", Side::head));
  const Variables base = variables_of(request_of(plants, "w", Side::base));
  EXPECT_EQ(head.at("LD_PRELOAD"), "/lib/plant.so");
  EXPECT_EQ(base.at("LD_PRELOAD"), "/lib/plant.so");
  EXPECT_EQ(head.at("PERF_COMPARE_PLANT_ALLOCATION"), "00000000000001234567");
  EXPECT_EQ(base.at("PERF_COMPARE_PLANT_ALLOCATION"), "00000000000000000000");
  EXPECT_EQ(variables_of(request_of(plants, "other", Side::head)).count("LD_PRELOAD"), 0U);
}

// A step waits for the server or the client: with both slowed down, it is as much slower.
TEST_F(PlantingRunnerTest, SlowsServersDownToo) {
  ProcessRequest server;
  server.beside = true;
  const Plant slowdown = plant_of(PlantWay::stop_and_go, 0.15, 0.005);
  EXPECT_EQ(planted_request(server, slowdown, Side::head, "").stop_and_go.share, 0.15);
  EXPECT_FALSE(planted_request(server, slowdown, Side::base, "").stop_and_go.wanted());
  const Plant allocation = plant_of(PlantWay::preload, 1);  // of peak_rss, the client's
  EXPECT_EQ(planted_request(server, allocation, Side::head, "").environment.size(), 0U);
}

TEST_F(PlantingRunnerTest, KeepsWhatTheUserPreloads) {
  setenv("LD_PRELOAD", "/lib/asan.so", 1);
  const std::vector<Plant> plants{plant_of(PlantWay::preload, 1)};
  EXPECT_EQ(variables_of(request_of(plants, "w", Side::head)).at("LD_PRELOAD"),
            "/lib/asan.so:/lib/plant.so");
  unsetenv("LD_PRELOAD");
}

TEST_F(PlantingRunnerTest, KeepsWhatTheWorkloadPreloads) {
  setenv("LD_PRELOAD", "/lib/asan.so", 1);
  ProcessRequest request;
  request.environment = {{"LD_PRELOAD", "/lib/own.so"}};
  EXPECT_EQ(variables_of(planted_request(request, plant_of(PlantWay::preload, 1), Side::base,
                                         "/lib/plant.so"))
                .size(),
            2U);
  EXPECT_EQ(planted_request(request, plant_of(PlantWay::preload, 1), Side::base, "/lib/plant.so")
                .environment.at(1),
            std::pair(std::string("LD_PRELOAD"), std::string("/lib/own.so:/lib/plant.so")));
  unsetenv("LD_PRELOAD");
}

TEST_F(PlantingRunnerTest, LeavesToTheWorkloadWhatItPlantsItself) {
  const std::vector<Plant> plants{plant_of(PlantWay::parameter, 0.15)};
  const ProcessRequest head = request_of(plants, "w", Side::head);
  EXPECT_FALSE(head.stop_and_go.wanted());
  EXPECT_EQ(variables_of(head).count("LD_PRELOAD"), 0U);
}

}  // namespace
}  // namespace perf
