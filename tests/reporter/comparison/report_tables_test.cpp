#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reporter/comparison/report_sections.h"
#include "reporter/render.h"
#include "tests/contains.h"
#include "tests/reporter/samples.h"

namespace perf::reporter {
namespace {

/// A report in which `rows` of one workload's step_time were varied: value, change.
Report varied(const std::vector<std::pair<std::string, double>>& rows) {
  Report report = samples::frame();
  for (const auto& [value, change] : rows) {
    Comparison row;
    row.workload = "training/mlp/backend-" + value;
    row.metric = kStepTime;
    row.base_params = Params{{"backend", std::string("first")}, {"layers", std::int64_t{4}}};
    row.params = {{"backend", value}, {"layers", std::int64_t{4}}};
    row.base = SideStats{0.1, 0.1, 0.1, 0, 0.1, 0.1, 0, 12, 96};
    row.head = row.base;
    row.head->median = 0.1 * (1 + change);
    row.change = change;
    row.interval = Interval{change - 0.01, change + 0.01};
    row.pairs = 12;
    row.look = 1;
    row.verdict = change > 0.1 ? Verdict::regressed : Verdict::unchanged;
    report.comparisons.push_back(row);
  }
  samples::summarize(report);
  return report;
}

std::string plain_text(const Prose& prose) {
  std::string text;
  for (const Span& span : prose) {
    text += span.text;
  }
  return text;
}

TEST(VariantTable, HasARowForEachFurtherValue) {
  const Table table = variant_table(varied({{"second", 0.2}, {"third", 0.0}}));
  ASSERT_EQ(table.rows.size(), 2u);
  std::vector<std::string> cells;
  for (const Prose& cell : table.rows[0].cells) {
    cells.push_back(plain_text(cell));
  }
  EXPECT_EQ(cells,
            (std::vector<std::string>{"training/mlp", "backend first -> second", "step_time",
                                      "100 ms", "120 ms", "+20.0 % [+19.0, +21.0]", "regressed"}));
}

TEST(VariantTable, NamesRowsOfSeveralBlocks) {
  Report report = varied({{"second", 0.2}, {"second", 0.0}});
  report.comparisons[0].workload += "/train";
  report.comparisons[1].workload += "/infer/long";
  const Table table = variant_table(report);
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(plain_text(table.rows[0].cells[0]), "training/mlp/train");
  EXPECT_EQ(plain_text(table.rows[1].cells[0]), "training/mlp/infer/long");
}

TEST(VariantTable, IsEmptyWithoutVariants) {
  EXPECT_TRUE(variant_table(samples::regressed()).rows.empty());
  Report set = varied({{"second", 0.2}});
  set.comparisons[0].workload = "training/mlp";  // --head-set
  EXPECT_TRUE(variant_table(set).rows.empty());
}

TEST(VariantTable, ShowsTheSettingsOfBothSides) {
  const Report one = varied({{"second", 0.2}});
  EXPECT_EQ(plain_text(settings_phrase(one, Side::base)), "with backend=first");
  EXPECT_EQ(plain_text(settings_phrase(one, Side::head)), "with backend=second");
  const Report two = varied({{"second", 0.2}, {"third", 0.0}});
  EXPECT_EQ(plain_text(settings_phrase(two, Side::base)), "with backend=first");
  EXPECT_EQ(plain_text(settings_phrase(two, Side::head)), "");
  EXPECT_EQ(plain_text(settings_phrase(samples::regressed(), Side::head)), "");
  EXPECT_TRUE(contains(render_terminal(one, false), "with backend=second"));
}

TEST(VariantTable, HasTheParametersOfBothSidesInJson) {
  const auto json = nlohmann::json::parse(render_json(varied({{"second", 0.2}})));
  EXPECT_EQ(json["comparisons"][0]["base_params"]["backend"], "first");
  EXPECT_EQ(json["comparisons"][0]["params"]["backend"], "second");
  const auto plain = nlohmann::json::parse(render_json(samples::regressed()));
  EXPECT_TRUE(plain["comparisons"][0]["base_params"].is_null());
}

TEST(VariantTable, ShowsHostileSettingsAsText) {
  const Report report = varied({{"\x1b[31m</td><script>|`", 0.2}});
  EXPECT_EQ(render_terminal(report, false).find('\x1b'), std::string::npos);
  EXPECT_FALSE(contains(render_markdown(report), "<script>"));
}

}  // namespace
}  // namespace perf::reporter
