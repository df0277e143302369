#include <gtest/gtest.h>

#include <string>

#include "reporter/comparison/report_sections.h"
#include "tests/reporter/samples.h"

namespace perf::reporter {
namespace {

/// The text below a title.
std::string cell_of(const Row& row, const std::string& title) {
  const std::vector<Column> columns = comparison_columns();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].title == title) {
      return row.cells.at(i).at(0).text;
    }
  }
  return "no column " + title;
}

TEST(ComparisonRow, HasWordsForAChangeFromZero) {
  Comparison grown = samples::peak_rss("z", 0, 0, 0, Verdict::regressed);
  grown.change.reset();
  grown.interval.reset();
  EXPECT_EQ(cell_of(comparison_row(grown), "change"), "from zero");
  grown.verdict = Verdict::inconclusive;
  grown.base->median = 0;
  grown.head->median = 5;
  EXPECT_EQ(cell_of(comparison_row(grown), "change"), "from zero");
  grown.head->median = 0;
  EXPECT_EQ(cell_of(comparison_row(grown), "change"), "-");
}

TEST(ComparisonRow, ShowsADashForAnUnmeasuredSide) {
  Comparison fresh = samples::step_time("a", 0.4, 0, 0.01, Verdict::fresh);
  fresh.base.reset();
  fresh.change.reset();
  const Row row = comparison_row(fresh);
  EXPECT_EQ(cell_of(row, "base"), "-");
  EXPECT_EQ(cell_of(row, "head"), "400 ms");
  EXPECT_EQ(cell_of(row, "change"), "-");
}

TEST(FullTable, HasEveryComparisonInTheOrderOfTheReport) {
  const Report report = samples::mixed();
  const Table table = full_table(report);
  ASSERT_EQ(table.rows.size(), report.comparisons.size());
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    EXPECT_EQ(table.rows[i].cells.size(), table.columns.size());
    EXPECT_EQ(table.rows[i].cells[0][0].text, report.comparisons[i].workload);
  }
}

}  // namespace
}  // namespace perf::reporter
