// perf-device against a scripted driver library.
#include <gtest/gtest.h>

#include <string>

#include "tests/device/scripted_devices.h"

namespace perf {
namespace {

using testing::kOtherPid;
using testing::one_device;
using testing::our_pid;
using testing::ScriptedDevices;

bool has(const std::string& output, const std::string& part) {
  return output.find(part) != std::string::npos;
}

TEST(DeviceFacts, PrintsWhatEachDeviceIs) {
  const ScriptedDevices devices(
      one_device("limit 700000\ndefault_limit 700000\napplication_clock 1980\necc 1\n"
                 "persistence 0\ndisplay 0\nwidth 16\nreasons 4\nprocess 1\n"));
  const std::string facts = devices.run("facts");
  EXPECT_EQ(facts.substr(0, facts.find("process")),
            "driver\t580.159.04\ncuda\t13.0\ndevice\tGPU-1\nname\tNVIDIA H200\n"
            "memory\t150754820096\nmig\toff\necc\ton\npower_limit\t700000\n"
            "default_power_limit\t700000\nmax_clock\t1980\napplication_clock\t1980\n"
            "persistence\toff\npci_width\t16\ndisplay\toff\nclocks_set\toff\n"
            "throttled\tpower cap\n");
  EXPECT_TRUE(has(facts, "process\t1 ")) << facts;
}

TEST(DeviceFacts, LeavesOutWhatTheDriverDoesNotTell) {
  const ScriptedDevices devices(one_device("ecc fails 3\n"));
  const std::string facts = devices.run("facts");
  EXPECT_TRUE(has(facts, "name\tNVIDIA H200")) << facts;
  EXPECT_FALSE(has(facts, "ecc")) << facts;
  EXPECT_FALSE(has(facts, "persistence")) << facts;
}

TEST(DeviceFacts, HonoursTheVisibleDevices) {
  const ScriptedDevices devices("device GPU-aa First\ndevice GPU-ab Second\ndevice GPU-b Third\n");
  const auto shown = [&](const std::string& visible) {
    setenv("CUDA_VISIBLE_DEVICES", visible.c_str(), 1);
    const std::string facts = devices.run("facts");
    unsetenv("CUDA_VISIBLE_DEVICES");
    std::string names;
    for (const char* name : {"First", "Second", "Third"}) {
      names += has(facts, std::string("name\t") + name) ? name : "";
    }
    return names;
  };
  EXPECT_EQ(shown("1"), "Second");
  EXPECT_EQ(shown(" 0, GPU-b"), "FirstThird");
  EXPECT_EQ(shown("0,7,1"), "First");  // as CUDA: an invalid entry hides those behind it
  EXPECT_EQ(shown("0,-1,1"), "First");
  EXPECT_EQ(shown("GPU-a"), "");  // of two devices
  EXPECT_EQ(shown("1,1"), "");
  EXPECT_EQ(shown(""), "");
  EXPECT_EQ(shown("99999999999999999999"), "");
}

TEST(DeviceFacts, AnInstanceStandsForItsCard) {
  const ScriptedDevices devices(one_device("") + "instance MIG-1\ntotal 1000\ninstance MIG-2\n");
  const std::string facts = devices.run("facts");
  EXPECT_TRUE(has(facts, "device\tMIG-1\nname\tNVIDIA H200\nmemory\t1000\nmig\ton\n")) << facts;
  EXPECT_FALSE(has(facts, "MIG-2")) << facts;
}

TEST(DeviceFacts, SaysWhyThereAreNone) {
  const ScriptedDevices denied("init 4\n");
  EXPECT_EQ(denied.run("facts"), "problem\tno permission to use the NVIDIA driver\nexit 0\n");
  setenv("LD_LIBRARY_PATH", "/nonexistent", 1);
  EXPECT_EQ(denied.run("facts"), "problem\tno NVIDIA driver library\nexit 0\n");
  EXPECT_EQ(denied.watch(), "absent\tno NVIDIA driver library\nexit 0\n");
}

TEST(DeviceFacts, RefusesOtherWords) {
  const ScriptedDevices devices("");
  for (const char* words : {"", "fact", "watch", "watch --own x", "watch --own"}) {
    EXPECT_TRUE(has(devices.run(words), "usage: perf-device")) << words;
    EXPECT_TRUE(has(devices.run(words), "exit 2")) << words;
  }
}

TEST(DeviceWatch, SumsUpWhatOurProcessDid) {
  const ScriptedDevices devices(
      one_device("used 5000000 5000000 9000000 8000000 5000000\nenergy 1000 1000 2000 3000 4500\n"
                 "clock 345 345 1980 1950 345\nload 0 0 100 100 0\nheat 30 30 50 55 40\n"
                 "reasons 1 1 4 0 1\nprocess " +
                 our_pid() + "@2\nstop 4\n"));
  EXPECT_EQ(devices.watch(),
            "ready\nused\t1\nmemory\t4000000\nenergy\t3.500\nclock\t1950000000\n"
            "temperature\t55\nthrottled\t0.2500\nreasons\tpower cap\nexit 0\n");
}

TEST(DeviceWatch, SaysNothingOfADeviceThatNobodyOfOursUses) {
  const ScriptedDevices devices(
      one_device("used 5000000\nenergy 1000\nclock 1980\nprocess 1\nstop 3\n"));
  EXPECT_EQ(devices.watch(), "ready\nexit 0\n");
}

TEST(DeviceWatch, SeesANeighbourWhoCameForOneSample) {
  const ScriptedDevices devices(one_device("used 1\nprocess " + our_pid() + "\nstop 6\n") +
                                "process " + kOtherPid + "@3-3\n");
  EXPECT_TRUE(has(devices.watch(), std::string("other\t") + kOtherPid + " ")) << devices.watch();
}

TEST(DeviceWatch, TakesMemoryOfOthersForASignWhereNoProcessesAreListed) {
  const ScriptedDevices devices(one_device(
      "used 5000000 5000000 900000000 900000000\nprocess fails 3\nclock 1980\nstop 3\n"));
  const std::string output = devices.watch();
  EXPECT_TRUE(has(output, "memory\t895000000\n")) << output;
  EXPECT_TRUE(has(output, "appeared\t1\n")) << output;
  const ScriptedDevices alone(
      one_device("used 5000000 5000000 900000000 5000000\nprocess fails 3\nclock 1980\nstop 3\n"));
  EXPECT_FALSE(has(alone.watch(), "appeared")) << alone.watch();
}

TEST(DeviceWatch, AddsUpDevicesAndTakesTheSlowestClock) {
  const std::string ours = "process " + our_pid() + "\nstop 3\n";
  const ScriptedDevices devices("device A X\nused 10 20\nenergy 0 1000\nclock 1980\n" + ours +
                                "device B X\nused 10 40\nenergy 0 2000\nclock 1605\n" + ours +
                                "device C X\nused 10 99\nenergy 0 9000\nclock 300\n");
  EXPECT_EQ(devices.watch(),
            "ready\nused\t1\nmemory\t40\nenergy\t3.000\nclock\t1605000000\n"
            "exit 0\n");
}

TEST(DeviceWatch, LeavesOutAnEnergyWhoseCounterWrapped) {
  const ScriptedDevices devices(
      one_device("used 1\nenergy 4294967000 200 5294967000\nprocess " + our_pid() + "\nstop 3\n"));
  EXPECT_EQ(devices.watch(), "ready\nused\t1\nmemory\t0\nexit 0\n");
}

TEST(DeviceWatch, CountsNoEnergyOfAnInstance) {
  const ScriptedDevices devices(one_device("energy 0 1000\nclock 1500\n") +
                                "instance MIG-1\nused 0 7\nprocess " + our_pid() + "\nstop 3\n");
  EXPECT_EQ(devices.watch(), "ready\nused\t1\nmemory\t7\nclock\t1500000000\nexit 0\n");
}

TEST(DeviceWatch, ALostDeviceEndsIt) {
  const ScriptedDevices devices(
      one_device("used 1\nclock 1980\nprocess " + our_pid() + "\nlost 3\nstop 5\n"));
  EXPECT_EQ(devices.watch(), "ready\nproblem\ta GPU is lost: the driver cannot reach it\nexit 0\n");
}

TEST(DeviceWatch, ACallThatHangsEndsIt) {
  constexpr int kKilledByAlarm = 128 + 14;
  const std::string end = "exit " + std::to_string(kKilledByAlarm) + "\n";
  const ScriptedDevices devices(one_device("used 1\nhang 2\n"));
  EXPECT_TRUE(has(devices.watch("--patience 50"), end));
  const ScriptedDevices at_init("hang init\n");
  EXPECT_TRUE(has(at_init.watch("--patience 50"), end));
  EXPECT_TRUE(has(at_init.run("facts --patience 50"), end));
}

}  // namespace
}  // namespace perf
