// Messages and help are plain English: no text of the program contains these phrases.

#include <gtest/gtest.h>

#include <algorithm>

#include "schema/files/content.h"

namespace perf::test {
namespace {

constexpr const char* kPhrases[] = {"asked wrongly", "hungrier",     "nowhere",       "nobody",
                                    "whoever",       " is none",     " wish",         " says ",
                                    " tells ",       " wants ",      "hang together", "this is no ",
                                    "that is no ",   "it is no ",    "now and then",  " goes on",
                                    " looked at",    " looked into", "passed over"};

/// The lines of a source whose string literals have such a phrase.
std::vector<std::string> lines_with_phrases(const std::string& source) {
  std::vector<std::string> found;
  for (const char* phrase : kPhrases) {
    for (std::size_t at = source.find(phrase); at != std::string::npos;
         at = source.find(phrase, at + 1)) {
      const std::size_t begin = source.rfind('\n', at) + 1;
      const std::string before = source.substr(begin, at - begin);
      if (before.find("//") == std::string::npos &&
          std::count(before.begin(), before.end(), '"') % 2 == 1) {
        found.push_back(source.substr(begin, source.find('\n', at) - begin));
      }
    }
  }
  return found;
}

TEST(PlainWords, AreInEveryTextOfTheProgram) {
  int sources = 0;
  for (const char* layer : {"analyzer", "ci/cli", "collector", "reporter", "schema", "workloads"}) {
    for (const auto& file : std::filesystem::recursive_directory_iterator(
             std::filesystem::path(PERF_SOURCE_DIR) / layer)) {
      if (file.path().extension() == ".cpp" || file.path().extension() == ".h") {
        ++sources;
        EXPECT_EQ(lines_with_phrases(content_of(file.path())), std::vector<std::string>())
            << file.path();
      }
    }
  }
  EXPECT_GT(sources, 500);
}

TEST(PlainWords, AreRequiredOnlyInLiterals) {
  EXPECT_EQ(lines_with_phrases("a says b;\n\"it is no c\";\n// \"nobody\"\n"),
            std::vector<std::string>{"\"it is no c\";"});
}

}  // namespace
}  // namespace perf::test
