// Every fuzz target runs its seeds and the fixed findings of earlier fuzzing (found/TARGET/*; see
// ci/fuzz) under the ordinary compiler.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "tests/fuzz/checks.h"
#include "tests/fuzz/target.h"

namespace perf::fuzz {
namespace {

namespace fs = std::filesystem;

class FuzzReplay : public testing::TestWithParam<FuzzTarget> {};

std::vector<fs::path> found_inputs(const std::string& target) {
  std::vector<fs::path> files;
  const fs::path folder = fs::path(PERF_SOURCE_DIR) / "tests/fuzz/found" / target;
  if (fs::exists(folder)) {
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

TEST_P(FuzzReplay, HoldsForSeeds) {
  ASSERT_FALSE(GetParam().seeds().empty());
  for (const std::string& seed : GetParam().seeds()) {
    EXPECT_NO_THROW(GetParam().run(seed)) << seed;
  }
}

/// If all seeds were refused, nothing would be tested; a truncated seed must be another input.
TEST_P(FuzzReplay, HoldsForTruncatedSeeds) {
  for (const std::string& seed : GetParam().seeds()) {
    for (std::size_t parts = 1; parts < 8; parts += 2) {
      EXPECT_NO_THROW(GetParam().run(seed.substr(0, seed.size() * parts / 8))) << parts << seed;
    }
  }
}

TEST_P(FuzzReplay, HoldsForFindings) {
  for (const fs::path& file : found_inputs(GetParam().name)) {
    EXPECT_NO_THROW(GetParam().run(source_file(fs::relative(file, PERF_SOURCE_DIR).string())))
        << file;
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, FuzzReplay, testing::ValuesIn(all_targets()),
                         [](const auto& target) { return target.param.name; });

}  // namespace
}  // namespace perf::fuzz
