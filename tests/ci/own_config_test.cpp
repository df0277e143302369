// This repository's own perf-compare.json.

#include <gtest/gtest.h>

#include <set>

#include "schema/config.h"
#include "tests/ci/scratch_repository.h"

namespace perf::test {
namespace {

Config own_config() {
  return read_config(read_file(PERF_SOURCE_DIR "/perf-compare.json"), "perf-compare.json");
}

std::set<std::string> families(const std::vector<Workload>& workloads) {
  std::set<std::string> names;
  for (const Workload& workload : workloads)
    names.insert(workload.name.substr(0, workload.name.find('/')));
  return names;
}

TEST(OwnConfig, EverySizeHasAllFamilies) {
  const Config config = own_config();
  std::set<std::string> all{"training", "inference", "quantization"};
  for (const char* size : {"smoke", "ci"})
    EXPECT_EQ(families(workloads_of_size(config, size)), all) << size;
  all.insert("peers");  // they may need what is not installed: for chosen comparisons only
  EXPECT_EQ(families(workloads_of_size(config, "full")), all);
  EXPECT_EQ(workloads_of_size(config, "smoke").size(), 4u);
  EXPECT_GE(workloads_of_size(config, "ci").size(), 12u);
  EXPECT_LE(workloads_of_size(config, "ci").size(), 14u);
}

}  // namespace
}  // namespace perf::test
