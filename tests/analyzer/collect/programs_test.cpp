#include <gtest/gtest.h>

#include "analyzer/collect/collection.h"

namespace perf {
namespace {

using Ids = std::vector<std::string>;

/// A program a letter, `?` one that is not known; the answer has the positions chosen. `measured`
/// has an x for what was measured before.
std::vector<std::size_t> chosen(const std::string& line, const std::string& before = {}) {
  Ids ids;
  std::vector<bool> measured;
  for (std::size_t i = 0; i < line.size(); ++i) {
    ids.push_back(line[i] == '?' ? "" : std::string(1, line[i]));
    measured.push_back(i < before.size() && before[i] == 'x');
  }
  const std::vector<bool> marks = commits_to_measure(ids, measured);
  std::vector<std::size_t> positions;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    EXPECT_FALSE(marks[i] && measured[i]);
    if (marks[i]) {
      positions.push_back(i);
    }
  }
  return positions;
}

using Positions = std::vector<std::size_t>;

TEST(CommitsToMeasure, IncludeTheEndsAndTheMiddleOfEveryStretch) {
  EXPECT_EQ(chosen("aaaaaaabbbbb"), (Positions{0, 3, 6, 7, 9, 11}));
  EXPECT_EQ(chosen("aaaa"), (Positions{0, 1, 3}));
  EXPECT_EQ(chosen(""), Positions{});
}

TEST(CommitsToMeasure, IncludeEveryCommitOfAProgramWithThree) {
  EXPECT_EQ(chosen("aaabbc"), (Positions{0, 1, 2, 3, 4, 5}));
}

TEST(CommitsToMeasure, IncludeEveryUnknownProgram) {
  EXPECT_EQ(chosen("??????"), (Positions{0, 1, 2, 3, 4, 5}));
  // What is not known is equal to nothing, and parts what lies on both sides of it.
  EXPECT_EQ(chosen("aaaaa?aaaaa"), (Positions{0, 2, 4, 5, 6, 8, 10}));
}

TEST(CommitsToMeasure, IncludeAProgramThatReturns) {
  EXPECT_EQ(chosen("aaaaabaaaaa"), (Positions{0, 2, 4, 5, 6, 8, 10}));
}

TEST(CommitsToMeasure, CountWhatWasMeasuredBefore) {
  EXPECT_EQ(chosen("aaaaaaa", "x..x..x"), Positions{});
  EXPECT_EQ(chosen("aaaaaaa", "xxx"), Positions{});
  EXPECT_EQ(chosen("aaaaaaa", "x.....x"), (Positions{3}));
  EXPECT_EQ(chosen("aaaaaaa", "...x..."), (Positions{0, 6}));
  // The last night's line has moved on by a commit.
  EXPECT_EQ(chosen("aaaaaaaa", "..x..x.."), (Positions{0}));
  EXPECT_EQ(chosen("aaaaaaaa", ".x..x..."), (Positions{7}));
}

}  // namespace
}  // namespace perf
