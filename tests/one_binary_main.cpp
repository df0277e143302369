// GoogleTest's main for a binary of many tests: `BINARY compare_test judge_command_test` runs the
// tests of these files, and fails where one has none.

#include <gtest/gtest.h>

#include <filesystem>
#include <iostream>
#include <string>

namespace {

/// The tests of NAME.cpp, as a filter takes them: each with a colon after it.
std::string tests_of(const std::string& name) {
  std::string filter;
  const testing::UnitTest& all = *testing::UnitTest::GetInstance();
  for (int i = 0; i < all.total_test_suite_count(); ++i) {
    const testing::TestSuite& suite = *all.GetTestSuite(i);
    for (int j = 0; j < suite.total_test_count(); ++j) {
      const testing::TestInfo& test = *suite.GetTestInfo(j);
      if (std::filesystem::path(test.file()).stem() == name) {
        filter += std::string(suite.name()) + "." + test.name() + ":";
      }
    }
  }
  return filter;
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  std::string filter;
  for (int i = 1; i < argc; ++i) {
    const std::string tests = tests_of(argv[i]);
    if (tests.empty()) {
      std::cerr << "no test is in " << argv[i] << ".cpp\n";
      return 1;
    }
    filter += tests;
  }
  if (!filter.empty()) {
    GTEST_FLAG_SET(filter, filter);
  }
  return RUN_ALL_TESTS();
}
