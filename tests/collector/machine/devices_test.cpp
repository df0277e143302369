#include "collector/machine/devices.h"

#include <gtest/gtest.h>

#include "fixture_tree.h"

namespace perf {
namespace {

using testing::FixtureTree;

/// A machine whose perf-device prints this.
ProbeSources machine_with(const FixtureTree& tree, const std::string& printed) {
  ProbeSources sources;
  sources.root = tree.root();
  sources.run_process = [printed](const ProcessRequest& request) {
    ProcessResult result;
    result.exit_code = 0;
    result.stdout_text = request.command.back() == "facts" ? printed : "";
    return result;
  };
  return sources;
}

std::string card(const std::string& name, const std::string& more = {}) {
  return "device\tGPU-secret\nname\t" + name + "\nmemory\t150754820096\nmig\toff\necc\ton\n" +
         "power_limit\t700000\n" + more;
}

const std::string kDriver = "driver\t580.159.04\ncuda\t13.0\n";

TEST(Devices, AreInTheFingerprint) {
  FixtureTree tree;
  tree.put("dev/nvidiactl", "").put("etc/machine-id", "0123\n");
  const Environment one = probe_environment(machine_with(tree, kDriver + card("NVIDIA H200")));
  const std::map<std::string, std::string> machine{
      {"device", "NVIDIA H200"}, {"device_memory_gib", "140"},  {"device_mig", "off"},
      {"device_ecc", "on"},      {"device_power_limit", "700"}, {"device_driver", "580"}};
  for (const auto& [name, value] : machine) {
    EXPECT_EQ(one.machine.at(name), value) << name;
  }
  EXPECT_EQ(one.facts.at("device_driver_version"), "580.159.04");
  for (const std::string& other :
       {kDriver + card("NVIDIA H100"), kDriver + card("NVIDIA H200") + card("NVIDIA H200"),
        "driver\t575.1\n" + card("NVIDIA H200"), std::string()}) {
    EXPECT_NE(probe_environment(machine_with(tree, other)).fingerprint, one.fingerprint) << other;
  }
  EXPECT_EQ(
      probe_environment(machine_with(tree, "driver\t580.2\n" + card("NVIDIA H200"))).fingerprint,
      one.fingerprint);
}

TEST(Devices, AreCountedAndNamed) {
  FixtureTree tree;
  tree.put("dev/nvidiactl", "");
  const auto named = [&](const std::string& printed) {
    return probe_environment(machine_with(tree, printed)).machine.at("device");
  };
  EXPECT_EQ(named(card("A") + card("A")), "2 x A");
  EXPECT_EQ(named(card("A") + card("B")), "A, B");
}

TEST(Devices, StoreNoId) {
  FixtureTree tree;
  tree.put("dev/nvidiactl", "");
  const ProbeSources sources = machine_with(tree, card("A"));
  EXPECT_FALSE(probe_environment(sources).facts.contains("device_id"));  // nothing to hash it with
  tree.put("etc/machine-id", "0123\n");
  const Environment here = probe_environment(sources);
  for (const auto* facts : {&here.machine, &here.facts}) {
    for (const auto& [name, value] : *facts) {
      EXPECT_EQ(value.find("secret"), std::string::npos) << name;
    }
  }
  tree.put("etc/machine-id", "4567\n");
  EXPECT_NE(probe_environment(sources).facts.at("device_id"), here.facts.at("device_id"));
}

TEST(Devices, NothingIsStartedWithoutAny) {
  FixtureTree tree;
  ProbeSources sources = machine_with(tree, card("A"));
  EXPECT_EQ(find_devices(sources).problem, "no NVIDIA driver library");
  EXPECT_TRUE(find_devices(sources).devices.empty());
  tree.put("lib/libnvidia-ml.so.1", "");
  const std::string folder = (tree.root() / "lib").string();
  sources.variable = [folder](const std::string& name) {
    return name == "LD_LIBRARY_PATH" ? std::optional(":/none:" + folder) : std::nullopt;
  };
  EXPECT_EQ(find_devices(sources).devices.size(), 1u);
}

TEST(Devices, TellWhyThereAreNone) {
  FixtureTree tree;
  tree.put("dev/nvidiactl", "");
  EXPECT_EQ(find_devices(machine_with(tree, "problem\tno permission\n")).problem, "no permission");
  ProbeSources silent = machine_with(tree, "");
  silent.run_process = [](const ProcessRequest&) { return ProcessResult{}; };
  EXPECT_EQ(find_devices(silent).problem, "the NVIDIA driver does not answer");
}

TEST(Devices, TakeHostileOutput) {
  FixtureTree tree;
  tree.put("dev/nvidiactl", "");
  const std::string name(5000, 'x');
  const Environment found = probe_environment(
      machine_with(tree, "name\tbefore any\nmemory\n\t\ndevice\t\nname\tA\x1b[2J\x80" + name +
                             "\nmemory\tnan\npower_limit\t1e400\nprocess\t\x07"
                             "7\n"));
  EXPECT_LE(found.machine.at("device").size(), 200u);
  EXPECT_FALSE(found.machine.contains("device_memory_gib"));
  EXPECT_FALSE(found.machine.contains("device_power_limit"));
}

}  // namespace
}  // namespace perf
