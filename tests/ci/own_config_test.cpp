// This repository's own perf-compare.json.

#include <gtest/gtest.h>

#include <set>

#include "schema/config.h"
#include "schema/files/content.h"
#include "tests/ci/scratch_repository.h"

namespace perf::test {
namespace {

Config own_config() {
  return read_config(content_of(PERF_SOURCE_DIR "/perf-compare.json"), "perf-compare.json");
}

std::set<std::string> families(const std::vector<Workload>& workloads) {
  std::set<std::string> names;
  for (const Workload& workload : workloads) {
    names.insert(workload.name.substr(0, workload.name.find('/')));
  }
  return names;
}

// A smoke run is for every change: one look in about two minutes.
constexpr std::size_t kSmokeWorkloads = 4;
// What half of the default budget of ten minutes holds, so that there is time for second looks at
// the undecided: twelve workloads with two judged metrics each take 15 pairs at their first look,
// and an invocation takes up to 0.6 s: 15 x 2 x 12 x 0.6 s = 216 s, and about 260 s for fourteen.
constexpr std::size_t kFewestOfCi = 12, kMostOfCi = 14;

TEST(OwnConfig, HasAllFamiliesInEverySize) {
  const Config config = own_config();
  std::set<std::string> all{"training", "inference", "quantization"};
  EXPECT_EQ(families(workloads_of_size(config, "smoke")), all);
  all.insert("micro");  // which share a process
  EXPECT_EQ(families(workloads_of_size(config, "ci")), all);
  all.insert("peers");  // they may need what is not installed: for chosen comparisons only
  EXPECT_EQ(families(workloads_of_size(config, "full")), all);
  EXPECT_EQ(workloads_of_size(config, "smoke").size(), kSmokeWorkloads);
  EXPECT_GE(workloads_of_size(config, "ci").size(), kFewestOfCi);
  EXPECT_LE(workloads_of_size(config, "ci").size(), kMostOfCi);
}

// As perf-workloads reports it: what is misspelt would never hold.
TEST(OwnConfig, NamesExistingInstructionSetsInTargets) {
  std::set<std::string> asked;
  for (const Target& target : own_config().targets) {
    for (const auto& [fact, value] : target.when) {
      EXPECT_EQ(fact, "isa") << target.name;
      asked.insert(value);
    }
  }
  EXPECT_FALSE(asked.empty());
  for (const std::string& isa : asked) {
    EXPECT_TRUE(isa == "avx2" || isa == "avx512") << isa;
  }
}

}  // namespace
}  // namespace perf::test
