#include "reporter/markdown/capped_text.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/contains.h"

namespace perf::reporter {
namespace {

std::vector<std::string> rows(const std::string& name, int count) {
  std::vector<std::string> list;
  for (int i = 0; i < count; ++i) {
    list.push_back(name + std::to_string(i) + std::string(90, '.') + "\n");
  }
  return list;
}

TEST(CappedText, KeepsEverythingIfThereIsRoom) {
  CappedText text({10000, "1 MiB"});
  text.fixed("head\n");
  text.rows({"a\n", "b\n"}, false);
  text.fixed("tail\n");
  EXPECT_EQ(text.str(), "head\na\nb\ntail\n");
}

TEST(CappedText, CutsBetweenRowsAndCountsTheRest) {
  CappedText text({2000, "1 MiB"});
  text.fixed("head\n");
  text.rows(rows("row", 100), false);
  text.fixed("tail\n");
  const std::string result = text.str();
  EXPECT_LE(result.size(), 2000U);
  EXPECT_EQ(result.substr(result.size() - 5), "tail\n");
  std::size_t kept = 0;
  while (result.find("row" + std::to_string(kept) + ".") != std::string::npos) {
    ++kept;
  }
  EXPECT_GT(kept, 10U);
  EXPECT_TRUE(
      contains(result, "\n_" + std::to_string(100 - kept) +
                           " more rows are left out here to stay below 1 MiB; the HTML and JSON "
                           "reports have everything._\n"));
}

TEST(CappedText, CutsExpendableRowsFirst) {
  CappedText text({4000, "1 MiB"});
  text.rows(rows("spare", 100), true);
  text.rows(rows("kept", 20), false);
  const std::string result = text.str();
  EXPECT_LE(result.size(), 4000U);
  EXPECT_TRUE(contains_all(result, {"kept19.", "spare0."}));
  EXPECT_FALSE(contains(result, "spare99."));
}

TEST(CappedText, LeavesOutARowThatIsTooLong) {
  CappedText text({1000, "1 MiB"});
  text.rows({std::string(5000, 'x') + "\n"}, false);
  EXPECT_EQ(text.str().find('x'), std::string::npos);
  EXPECT_TRUE(contains(text.str(), "1 more row is left out"));
}

}  // namespace
}  // namespace perf::reporter
