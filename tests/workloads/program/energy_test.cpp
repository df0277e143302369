#include "workloads/program/energy.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

namespace perf::workloads {
namespace {

namespace fs = std::filesystem;

/// A scratch folder laid out as /sys/class/powercap.
class Powercap : public testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::path(testing::TempDir()) /
            ("powercap_" + std::to_string(testing::UnitTest::GetInstance()->random_seed()) +
             testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(root_);
    fs::create_directories(root_);
  }
  void TearDown() override { fs::remove_all(root_); }

  void write(const std::string& zone, const std::string& file, const std::string& text) {
    fs::create_directories(root_ / zone);
    std::ofstream(root_ / zone / file) << text << "\n";
  }
  void zone(const std::string& zone, const std::string& name, std::uint64_t microjoules) {
    write(zone, "name", name);
    write(zone, "max_energy_range_uj", "1000000000");
    count(zone, microjoules);
  }
  void count(const std::string& zone, std::uint64_t microjoules) {
    write(zone, "energy_uj", std::to_string(microjoules));
  }

  fs::path root_;
};

TEST_F(Powercap, AddsUpPackagesAndNothingInsideOrBesideThem) {
  zone("intel-rapl:0", "package-0", 5'000'000);
  zone("intel-rapl:1", "package-1", 7'000'000);
  zone("intel-rapl:2", "psys", 0);
  zone("intel-rapl:0:0", "core", 0);
  zone("intel-rapl:0:1", "dram", 0);
  zone("intel-rapl-mmio:0", "package-0", 0);
  EnergyMeter meter(root_);
  ASSERT_TRUE(meter.readable());
  EXPECT_EQ(meter.joules(), 0.0);
  for (const char* other :
       {"intel-rapl:2", "intel-rapl:0:0", "intel-rapl:0:1", "intel-rapl-mmio:0"}) {
    count(other, 900'000'000);
  }
  count("intel-rapl:0", 6'500'000);
  count("intel-rapl:1", 9'250'000);
  EXPECT_NEAR(meter.joules().value(), 1.5 + 2.25, 1e-9);
  count("intel-rapl:1", 10'250'000);
  EXPECT_NEAR(meter.joules().value(), 1.5 + 3.25, 1e-9) << "since the start, not since last time";
}

TEST_F(Powercap, FollowsCountersThatWrapAround) {
  zone("intel-rapl:0", "package-0", 999'000'000);  // of 1000 J
  EnergyMeter meter(root_);
  count("intel-rapl:0", 2'000'000);
  EXPECT_NEAR(meter.joules().value(), 3, 1e-9);
  count("intel-rapl:0", 1'000'000);
  EXPECT_NEAR(meter.joules().value(), 3 + 999, 1e-9);
}

TEST_F(Powercap, KnowsNothingWithoutCounters) {
  EXPECT_FALSE(EnergyMeter(root_).readable());
  EXPECT_FALSE(EnergyMeter(root_ / "absent").readable());
  EXPECT_EQ(EnergyMeter(root_).joules(), std::nullopt);
  zone("intel-rapl:0:0", "core", 1);
  EXPECT_EQ(EnergyMeter(root_).joules(), std::nullopt);
}

// Counters that only root may read: the tests may run as root, so the file is missing here.
TEST_F(Powercap, KnowsNothingIfAPackageCannotBeRead) {
  zone("intel-rapl:0", "package-0", 1);
  zone("intel-rapl:1", "package-1", 1);
  EnergyMeter meter(root_);
  ASSERT_TRUE(meter.readable());
  fs::remove(root_ / "intel-rapl:1/energy_uj");
  EXPECT_EQ(EnergyMeter(root_).joules(), std::nullopt);
  EXPECT_EQ(meter.joules(), std::nullopt);
  EXPECT_FALSE(meter.readable());
}

TEST_F(Powercap, KnowsNothingFromGarbage) {
  zone("intel-rapl:0", "package-0", 1);
  write("intel-rapl:0", "energy_uj", "none");
  EXPECT_FALSE(EnergyMeter(root_).readable());
  write("intel-rapl:0", "energy_uj", "");
  EXPECT_FALSE(EnergyMeter(root_).readable());
}

}  // namespace
}  // namespace perf::workloads
