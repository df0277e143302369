// Files are compiled together, and what an anonymous namespace has hides what a header has: without
// a warning, a constant of one file could replace a header's in its neighbours.

#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>
#include <sstream>

#include "schema/files/content.h"

namespace perf::test {
namespace {

/// The constants that the lines of a source define at their beginning, after `kind`.
std::set<std::string> constants_in(const std::string& source, const std::string& kind) {
  const std::regex constant("^" + kind + "(?:constexpr|const) .*?\\b(k[A-Z]\\w*)\\b.*");
  std::set<std::string> names;
  std::istringstream lines(source);
  for (std::string line; std::getline(lines, line);) {
    if (std::smatch found; std::regex_match(line, found, constant)) {
      names.insert(found[1]);
    }
  }
  return names;
}

TEST(Constants, OfAFileHideNoneOfAHeader) {
  for (const char* layer : {"analyzer", "ci/cli", "collector", "reporter", "schema"}) {
    std::set<std::string> of_headers;
    std::vector<std::filesystem::path> files;
    for (const auto& file : std::filesystem::recursive_directory_iterator(
             std::filesystem::path(PERF_SOURCE_DIR) / layer)) {
      if (file.path().extension() == ".h") {
        of_headers.merge(constants_in(content_of(file.path()), "inline "));
      } else if (file.path().extension() == ".cpp") {
        files.push_back(file.path());
      }
    }
    EXPECT_GT(of_headers.size(), 5U) << layer;  // or they are not found
    for (const std::filesystem::path& file : files) {
      for (const std::string& name : constants_in(content_of(file), "")) {
        EXPECT_EQ(of_headers.count(name), 0U) << file << ": " << name;
      }
    }
  }
}

TEST(Constants, AreFound) {
  EXPECT_EQ(constants_in("inline constexpr int kA = kB;\nconstexpr int kC{1};\n", "inline "),
            std::set<std::string>{"kA"});
  EXPECT_EQ(
      constants_in("inline constexpr int kA;\nconst std::string kC = kD;\n  const int kE;\n", ""),
      std::set<std::string>{"kC"});
}

}  // namespace
}  // namespace perf::test
