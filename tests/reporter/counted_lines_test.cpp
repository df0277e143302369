#include "reporter/counted_lines.h"

#include <gtest/gtest.h>

#include <string>

#include "reporter/render.h"
#include "tests/reporter/sample_reports.h"

namespace perf {
namespace {

Comparison count_of(const std::string& workload, double change, const std::string& note) {
  Comparison row;
  row.workload = workload;
  row.metric = {"instructions", "1", Better::lower};
  row.change = change;
  row.exact = true;
  row.verdict = Verdict::unchanged;
  if (!note.empty()) {
    row.notes = {note};
  }
  return row;
}

bool says(const Report& report, const std::string& part) {
  return render_terminal(report, false).find(part) != std::string::npos;
}

TEST(CountedLines, SayThatACountMovedAndTimeDidNot) {
  Report report = samples::unchanged();
  report.comparisons.push_back(
      count_of("training/mlp_stack", 0.001, "0.1 % more instructions, exactly"));
  EXPECT_TRUE(says(report,
                   "training/mlp_stack: 0.1 % more instructions, exactly; its time is "
                   "unchanged"));
}

TEST(CountedLines, CountThoseThatAreTheSame) {
  Report report = samples::unchanged();
  report.comparisons.push_back(count_of("training/mlp_stack", 0, ""));
  report.comparisons.push_back(count_of("training/lm", 0, ""));
  EXPECT_TRUE(says(report, "2 counts are the same at base and head, exactly"));
}

TEST(CountedLines, LeaveAMovedRowToTheTable) {
  Report report = samples::unchanged();
  report.comparisons.push_back(
      count_of("training/mlp_stack", 0.2, "20 % more instructions, exactly"));
  report.comparisons.back().verdict = Verdict::regressed;
  EXPECT_TRUE(reporter::counted_lines(report).empty());
}

TEST(CountedLines, SayNothingWhereNothingWasCounted) {
  EXPECT_TRUE(reporter::counted_lines(samples::unchanged()).empty());
}

}  // namespace
}  // namespace perf
