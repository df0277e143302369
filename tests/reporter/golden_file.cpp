#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "tests/reporter/samples.h"

namespace perf::test {

void expect_golden(const std::string& name, const std::string& text) {
  const std::string path = std::string(PERF_SOURCE_DIR) + "/tests/reporter/golden/" + name;
  if (std::getenv("PERF_COMPARE_APPROVE") != nullptr) {
    std::ofstream(path, std::ios::binary) << text;
    return;
  }
  std::ifstream file(path, std::ios::binary);
  ASSERT_TRUE(file) << "no golden " << name << ": see expect_golden in samples.h";
  const std::string expected{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(text, expected) << "in " << name;
}

}  // namespace perf::test
