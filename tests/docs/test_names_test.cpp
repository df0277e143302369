// Tests have one naming style: a suite and a behaviour, both in CamelCase.

#include <gtest/gtest.h>

#include <algorithm>

#include "schema/files/content.h"

namespace perf::test {
namespace {

bool is_camel_case(const std::string& name) {
  return !name.empty() && std::isupper(static_cast<unsigned char>(name[0])) != 0 &&
         std::all_of(name.begin(), name.end(),
                     [](unsigned char letter) { return std::isalnum(letter) != 0; });
}

/// Suites and names of the tests in a source; `bad` gets those that are not in CamelCase.
int count_tests(const std::string& source, std::vector<std::string>& bad) {
  int tests = 0;
  for (const std::string macro : {"\nTEST(", "\nTEST_F(", "\nTEST_P(", "\nTYPED_TEST("}) {
    for (std::size_t at = source.find(macro); at != std::string::npos;
         at = source.find(macro, at + 1)) {
      const std::size_t begin = at + macro.size(), comma = source.find(',', begin);
      const std::size_t name = source.find_first_not_of(" \n", comma + 1);
      const std::string suite = source.substr(begin, comma - begin);
      const std::string test = source.substr(name, source.find(')', name) - name);
      ++tests;
      if (!is_camel_case(suite) || !is_camel_case(test)) {
        bad.push_back(suite + "." + test);
      }
    }
  }
  return tests;
}

TEST(TestNames, AreInCamelCase) {
  int tests = 0;
  for (const auto& file : std::filesystem::recursive_directory_iterator(PERF_SOURCE_DIR "/tests")) {
    if (file.path().extension() == ".cpp") {
      std::vector<std::string> bad;
      tests += count_tests(content_of(file.path()), bad);
      EXPECT_EQ(bad, std::vector<std::string>()) << file.path();
    }
  }
  EXPECT_GT(tests, 3000);  // or they are not found
}

TEST(TestNames, InSnakeCaseAreFound) {
  std::vector<std::string> bad;
  EXPECT_EQ(
      count_tests("\nTEST(Suite, Name) {\nTEST_P(Suite, a_name) {\nTEST(suite,\n  Name)", bad), 3);
  EXPECT_EQ(bad, (std::vector<std::string>{"suite.Name", "Suite.a_name"}));
}

}  // namespace
}  // namespace perf::test
