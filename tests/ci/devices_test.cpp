// GPUs as a user sees them in reports, with a scripted driver library: see tests/device/.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "schema/files/content.h"
#include "tests/ci/scratch_repository.h"

namespace perf::test {
namespace {

using Json = nlohmann::json;

/// A benchmark of so many cycles on a GPU of this clock (MHz), which takes memory (B) meanwhile,
/// perhaps beside another process. It is there long enough to be seen.
constexpr const char* kGpuBenchmark = R"(
cycles=$1 clock=$2 memory=$3 beside=$4
write() { printf 'device GPU-1 NVIDIA H200\ntotal 150754820096\nlimit 700000\n%s\n' "$1" >"$NVML_SCRIPT.$$"
  mv "$NVML_SCRIPT.$$" "$NVML_SCRIPT"; }
energy=$(cat energy)
write "used $((5000000 + memory))
energy $((energy + 20000))
clock $clock
reasons 4
process $$ $beside"
sleep 0.06
echo $((energy + 20000)) >energy
write "used 5000000
energy $((energy + 20000))
clock 345"
awk -v seed="$$" -v cycles="$cycles" -v clock="$clock" 'BEGIN {
  srand(seed)
  print "{\"type\":\"begin\",\"protocol\":1,\"workload\":\"w\",\"params\":{}}"
  for (i = 0; i < 8; ++i) {
    seconds = cycles / clock * (0.995 + 0.01 * rand())
    printf "{\"type\":\"step\",\"index\":%d,\"seconds\":%.9f,\"device_seconds\":%.9f}\n", i, seconds * 1.1, seconds
  }
  print "{\"type\":\"end\"}"
}' >"$PERF_COMPARE_OUT"
)";

class Devices : public ::testing::Test {
 protected:
  Devices() {
    std::ofstream(folder.path() / "bench") << kGpuBenchmark;
    std::ofstream(folder.path() / "energy") << 1000;
    std::ofstream(folder.path() / "script")
        << "device GPU-1 NVIDIA H200\ntotal 150754820096\nlimit 700000\nmax_clock 1980\n"
           "application_clock 1980\npersistence 0\nused 5000000\nenergy 1000\nclock 345\n";
  }

  Outcome perf_compare(std::vector<std::string> words) const {
    words.insert(words.begin(), PERF_BINARY_DIR "/bin/perf-compare");
    return run(words, folder.path(),
               {{"LD_LIBRARY_PATH", PERF_BINARY_DIR "/tests/nvml"},
                {"NVML_SCRIPT", (folder.path() / "script").string()}});
  }
  Outcome ab(const std::string& base, const std::string& head,
             std::vector<std::string> options = {}) const {
    options.insert(options.begin(), {"ab", "sh bench " + base, "sh bench " + head, "--json",
                                     "report.json", "--html", "report.html", "--pairs", "16"});
    return perf_compare(options);
  }
  Json row(const std::string& metric) const {
    const Json report = Json::parse(content_of(folder.path() / "report.json"));
    for (const Json& one : report.at("comparisons")) {
      if (one["metric"] == metric) {
        return one;
      }
    }
    return {{"verdict", "no row"}};
  }
  std::string verdict(const std::string& metric) const {
    return row(metric)["verdict"].is_null() ? "not judged" : row(metric)["verdict"];
  }

  TemporaryFolder folder;
};

TEST_F(Devices, AppearInTheReport) {
  const Outcome outcome = ab("10 1980 400000000", "10.0 1980 400000000");
  EXPECT_TRUE(ended(outcome, 0));
  EXPECT_TRUE(contains(outcome.out, ", NVIDIA H200"));
  for (const char* metric : {"device_time", "step_time", "device_memory"}) {
    EXPECT_EQ(verdict(metric), "unchanged") << metric;
  }
  for (const char* metric :
       {"device_energy", "device_clock", "device_temperature", "device_throttled"}) {
    const bool is_known = std::string(metric) != "device_temperature";
    EXPECT_EQ(verdict(metric), is_known ? "not judged" : "no row") << metric;
  }
  EXPECT_EQ(row("device_memory")["head"]["median"], 400000000);
  EXPECT_EQ(row("device_energy")["head"]["median"], 20);
  EXPECT_EQ(row("device_clock")["head"]["median"], 1980e6);
  const std::string html = content_of(folder.path() / "report.html");
  EXPECT_TRUE(contains_all(html, {"device_clock", "device_throttled", "power cap"}));
}

TEST_F(Devices, JudgeMemoryAndNamedEnergy) {
  EXPECT_TRUE(ended(ab("10 1980 400000000", "10 1980 668435456"), 1));
  EXPECT_EQ(verdict("device_memory"), "regressed");
  EXPECT_EQ(verdict("device_time"), "unchanged");
}

TEST_F(Devices, ALowerClockIsNoRegression) {
  const Outcome outcome = ab("10 1830 400000000", "10 1605 400000000");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out;
  EXPECT_EQ(verdict("device_time"), "inconclusive");
  EXPECT_EQ(verdict("step_time"), "inconclusive");
  EXPECT_TRUE(contains(outcome.out, "clocks differ: 1,830 and 1,605 MHz"));
  EXPECT_EQ(ab("10 1980 400000000", "12 1980 400000000").exit_code, 1);
}

TEST_F(Devices, ANeighbourLeavesTheWorkloadInconclusive) {
  const Outcome outcome = ab("10 1980 400000000", "10 1980 400000000 1");
  EXPECT_EQ(verdict("step_time"), "inconclusive") << outcome.out << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "GPU in use by another process"));
}

TEST_F(Devices, AreKnownToDoctor) {
  const Outcome outcome = perf_compare({"doctor", "-v"});
  EXPECT_TRUE(contains_all(outcome.out, {"nvidia-smi -pm 1", "not locked, up to 1980 MHz"}));
}

}  // namespace
}  // namespace perf::test
