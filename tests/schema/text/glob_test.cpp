#include "schema/text/glob.h"

#include <gtest/gtest.h>

#include <string>

namespace perf {
namespace {

TEST(Glob, MatchesTheWholeText) {
  EXPECT_TRUE(glob_match("parser", "parser"));
  EXPECT_FALSE(glob_match("parser", "parser2"));
  EXPECT_FALSE(glob_match("parser2", "parser"));
  EXPECT_TRUE(glob_match("", ""));
  EXPECT_FALSE(glob_match("", "x"));
  EXPECT_FALSE(glob_match("Parser", "parser"));
}

TEST(Glob, MatchesAnyTextWithAStar) {
  EXPECT_TRUE(glob_match("micro/*", "micro/matmul"));
  EXPECT_TRUE(glob_match("micro/*", "micro/matmul/128"));
  EXPECT_TRUE(glob_match("micro/*", "micro/"));
  EXPECT_FALSE(glob_match("micro/*", "micro"));
  EXPECT_TRUE(glob_match("*", ""));
  EXPECT_TRUE(glob_match("**", "a/b"));
  EXPECT_TRUE(glob_match("*/128", "micro/matmul/128"));
  EXPECT_FALSE(glob_match("*/128", "micro/matmul/1280"));
}

TEST(Glob, BacktracksToTheLastStar) {
  EXPECT_TRUE(glob_match("a*bc", "abcbc"));
  EXPECT_TRUE(glob_match("*ab*ab", "abxabab"));
  EXPECT_FALSE(glob_match("a*b*c", "acb"));
}

TEST(Glob, MatchesOneCharacterWithAQuestionMark) {
  EXPECT_TRUE(glob_match("mat?ul", "matmul"));
  EXPECT_FALSE(glob_match("matmul?", "matmul"));
  EXPECT_TRUE(glob_match("?*", "x"));
  EXPECT_FALSE(glob_match("?*", ""));
}

TEST(Glob, ChoosesByAnyOfSeveral) {
  EXPECT_TRUE(is_chosen({"a*", "b"}, "b"));
  EXPECT_FALSE(is_chosen({"a*", "b"}, "c"));
  EXPECT_TRUE(is_chosen({}, "c"));
}

TEST(Glob, HasNoOtherSpecialCharacters) {
  EXPECT_TRUE(glob_match("[ab]", "[ab]"));
  EXPECT_FALSE(glob_match("[ab]", "a"));
  EXPECT_TRUE(glob_match("\\*", "\\anything"));
}

// 2^30 ways to share the text among the stars: a matcher that tries them does not come back.
TEST(Glob, IsFastForManyStars) {
  std::string glob;
  for (int i = 0; i < 30; ++i) {
    glob += "*a";
  }
  EXPECT_FALSE(glob_match(glob + "b", std::string(10'000, 'a')));
}

}  // namespace
}  // namespace perf
