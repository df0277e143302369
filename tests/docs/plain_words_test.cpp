// Messages and help are plain English: no text of the program contains these phrases.

#include <gtest/gtest.h>

#include "schema/files/content.h"

namespace perf::test {
namespace {

constexpr const char* kPhrases[] = {"asked wrongly", "hungrier", "nowhere",       "nobody",
                                    "whoever",       " is none", " wish",         " says ",
                                    " tells ",       " wants ",  "hang together", "this is no ",
                                    "that is no ",   "it is no "};

/// The string literals of a source, adjacent ones as one, a line each.
std::string literals_of(const std::string& source) {
  std::string texts;
  bool adjacent = false;
  for (std::size_t at = 0; at < source.size(); ++at) {
    if (source.compare(at, 2, "//") == 0) {
      at = std::min(source.find('\n', at), source.size());
    } else if (source.compare(at, 3, "'\"'") == 0 || source.compare(at, 3, "'\\\"") == 0) {
      at += 2;
    } else if (source.compare(at, 2, "R\"") == 0) {
      const std::size_t begin = source.find('(', at);
      const std::size_t end = source.find(")" + source.substr(at + 2, begin - at - 2) + "\"", at);
      texts += "\n" + source.substr(begin + 1, end - begin - 1);
      at = source.find('"', end);
    } else if (source[at] == '"') {
      texts += adjacent ? "" : "\n";
      for (++at; at < source.size() && source[at] != '"'; ++at) {
        texts += source[at];
        if (source[at] == '\\') {
          texts += source[++at];
        }
      }
      adjacent = true;
    } else if (std::isspace(static_cast<unsigned char>(source[at])) == 0) {
      adjacent = false;
    }
  }
  return texts;
}

std::vector<std::string> lines_with_phrases(const std::string& texts) {
  std::vector<std::string> found;
  for (const char* phrase : kPhrases) {
    for (std::size_t at = texts.find(phrase); at != std::string::npos;
         at = texts.find(phrase, at + 1)) {
      const std::size_t line = texts.rfind('\n', at) + 1;
      found.push_back(texts.substr(line, texts.find('\n', at) - line));
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
        EXPECT_EQ(lines_with_phrases(literals_of(content_of(file.path()))),
                  std::vector<std::string>())
            << file.path();
      }
    }
  }
  EXPECT_GT(sources, 500);
}

TEST(PlainWords, AreMissedInLiteralsAlone) {
  const std::string source = R"x(f("a \"b\" says "  // nobody
      "c", '"', R"(it is no d)");)x";
  EXPECT_EQ(lines_with_phrases(literals_of(source)),
            (std::vector<std::string>{R"(a \"b\" says c)", "it is no d"}));
}

}  // namespace
}  // namespace perf::test
