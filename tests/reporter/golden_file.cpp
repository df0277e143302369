#include "tests/reporter/golden_file.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

namespace perf::test {

void expect_golden(const std::string& name, const std::string& text) {
  const std::string path = std::string(PERF_SOURCE_DIR) + "/tests/reporter/golden/" + name;
  if (std::getenv("PERF_COMPARE_APPROVE") != nullptr) {
    std::ofstream(path, std::ios::binary) << text;
    return;
  }
  std::ifstream file(path, std::ios::binary);
  ASSERT_TRUE(file) << "no golden " << name << ": see the head of golden_file.h";
  const std::string expected{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(text, expected) << "in " << name;
}

}  // namespace perf::test
