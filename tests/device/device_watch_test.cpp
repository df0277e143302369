// Invocations beside perf-device and a scripted driver library.
#include "collector/process/device_watch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "collector/process/spawner.h"
#include "collector/process/workload_runner.h"
#include "tests/device/scripted_devices.h"

namespace perf {
namespace {

using testing::kOtherPid;
using testing::one_device;
using testing::our_pid;
using testing::ScriptedDevices;

constexpr const char* kBegin =
    R"(printf '{"type":"begin","protocol":1,"workload":"w","params":{}}\n' > "$PERF_COMPARE_OUT";)"
    R"(printf '{"type":"step","index":0,"warmup":false,"seconds":0.25}\n' >> "$PERF_COMPARE_OUT";)";
constexpr const char* kEnd = R"(printf '{"type":"end"}\n' >> "$PERF_COMPARE_OUT")";

/// Before other threads exist.
Spawner& device_spawner() {
  static Spawner spawner;
  return spawner;
}
[[maybe_unused]] const Spawner& kEarly = device_spawner();

class DeviceRun : public ::testing::Test {
 protected:
  Invocation run(const std::string& middle = {}) {
    Workload workload;
    workload.name = "w";
    workload.command = {"sh", "-c", kBegin + middle + kEnd};
    workload.timeout = 60;
    workload.env = env;
    Invocation invocation;
    invocation.attempt = 2;
    return runner.run(workload, "/", invocation);
  }
  RunProcess run_process = [this](const ProcessRequest& request) {
    watches += request.beside ? 1 : 0;
    ProcessResult failed;
    failed.spawn_error = "no such file";
    return request.beside && helper_is_missing ? failed : device_spawner().run(request);
  };

  TemporaryFolder no_devices;
  WorkloadRunner runner{run_process, "/", {}};
  int watches = 0;
  bool helper_is_missing = false;
  std::map<std::string, std::string> env;
};

/// "device_memory 4000 judged, ..." of the first block.
std::string device_metrics(const Invocation& invocation) {
  std::string text;
  for (const MetricValue& one : invocation.blocks.at(0).metrics) {
    text += (text.empty() ? "" : ", ") + one.metric.name + " " +
            std::to_string(static_cast<long long>(one.value)) + (one.judge ? " judged" : "");
  }
  return text;
}

std::string device_fact_of(const Invocation& invocation, const char* name) {
  const auto& facts = invocation.blocks.at(0).facts;
  const auto found = facts.find(name);
  return found == facts.end() ? "" : found->second;
}

TEST_F(DeviceRun, AddsWhatTheGpuDid) {
  const ScriptedDevices devices(one_device(
      "used 1000 5000\nenergy 0 7000\nclock 345 1980\nload 0 99\nheat 60\nreasons 1 36\nprocess " +
      our_pid() + "\n"));
  const Invocation done = run();
  EXPECT_EQ(done.failure, "");
  const std::string metrics = device_metrics(done);
  EXPECT_EQ(metrics.substr(0, metrics.rfind(' ')),
            "device_memory 4000 judged, device_energy 7, device_clock 1980000000, "
            "device_temperature 60, device_throttled");
  EXPECT_EQ(device_fact_of(done, kThrottleReasons), "power cap, thermal slowdown");
  EXPECT_EQ(device_fact_of(done, kDeviceProblem), "");
}

TEST_F(DeviceRun, KeepsTheMemoryThatABenchmarkReports) {
  const ScriptedDevices devices(one_device("used 1000 5000\nprocess " + our_pid() + "\n"));
  const Invocation done = run(
      R"(printf '{"type":"metric","name":"device_memory","unit":"B","better":"lower","value":77}\n')"
      R"( >> "$PERF_COMPARE_OUT";)");
  EXPECT_EQ(device_metrics(done), "device_memory 77");
}

TEST_F(DeviceRun, ADeviceThatIsNotUsedAddsNothing) {
  const ScriptedDevices devices(one_device("used 1000\nenergy 0 7000\nclock 1980\nprocess 1\n"));
  const Invocation done = run();
  EXPECT_EQ(done.failure, "");
  EXPECT_EQ(device_metrics(done), "");
}

TEST_F(DeviceRun, HidesDevicesAsItsVariablesDo) {
  const ScriptedDevices devices(one_device("used 1000\nprocess " + our_pid() + "\n"));
  env["CUDA_VISIBLE_DEVICES"] = "-1";
  const Invocation done = run();
  EXPECT_EQ(device_metrics(done), "");
  EXPECT_EQ(device_fact_of(done, kDeviceProblem), "");
}

TEST_F(DeviceRun, FailsBesideANeighbour) {
  const ScriptedDevices devices(
      one_device("used 1000\nprocess " + our_pid() + " " + kOtherPid + "\n"));
  const Invocation done = run();
  EXPECT_TRUE(done.is_lost_to_others()) << done.failure;
  EXPECT_EQ(done.failure.find("to reproduce"), std::string::npos) << done.failure;
  const Invocation crashed = run("exit 3;");
  EXPECT_TRUE(crashed.is_lost_to_others()) << crashed.failure;
  EXPECT_NE(crashed.failure.find("; exit status 3"), std::string::npos) << crashed.failure;
}

TEST_F(DeviceRun, AHangingDriverLeavesTheInvocationValid) {
  const ScriptedDevices devices(one_device("used 1000\nhang 2\nprocess " + our_pid() + "\n"));
  const Invocation done = run();
  EXPECT_EQ(done.failure, "");
  EXPECT_EQ(device_metrics(done), "");
  EXPECT_EQ(device_fact_of(done, kDeviceProblem), "the NVIDIA driver does not answer");
}

TEST_F(DeviceRun, ALostCardLeavesTheInvocationValid) {
  const ScriptedDevices devices(one_device("used 1\nclock 1980\nlost 2\nprocess " + our_pid()));
  const Invocation done = run("sleep 0.1;");
  EXPECT_EQ(done.failure, "");
  EXPECT_EQ(device_fact_of(done, kDeviceProblem), "a GPU is lost: the driver cannot reach it");
}

TEST_F(DeviceRun, GivesUpAHelperThatFailsTwice) {
  const ScriptedDevices devices(one_device(""));
  helper_is_missing = true;
  EXPECT_EQ(device_fact_of(run(), kDeviceProblem), "perf-device: could not start: no such file");
  EXPECT_EQ(run().failure, "");
  EXPECT_EQ(device_fact_of(run(), kDeviceProblem), "perf-device failed before");
  EXPECT_EQ(watches, 2);
}

TEST_F(DeviceRun, StartsNothingWithoutADevice) {
  runner = WorkloadRunner(run_process, no_devices.path(), {});
  EXPECT_EQ(run().failure, "");
  EXPECT_EQ(watches, 0);
}

TEST_F(DeviceRun, HostileOutputAddsNothing) {
  for (const char* output : {"memory\tnan\nclock\t-1\nenergy\t1e999\nthrottled\t\n",
                             "\t\n\n\tx\nmemory\n", "clock\t0x10"}) {
    Invocation invocation;
    invocation.blocks.emplace_back();
    EXPECT_TRUE(take_device_lines(output, invocation));
    EXPECT_EQ(device_metrics(invocation), "") << output;
    EXPECT_EQ(invocation.failure, "");
  }
}

}  // namespace
}  // namespace perf
